import assert from "node:assert/strict";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compile } from "./compile.ts";
import type { CompileError } from "./compile-errors.ts";
import type { Setting } from "./matrix.ts";

type Control = {
	name: string;
	compiler: Setting["compiler"];
	/** A part of `client.d.ts`, and what replaces it. */
	change: (declarations: string) => string;
	/** Whether the error is the one that this change must cause. */
	isExpected: (error: CompileError) => boolean;
};

/** The type of `getActions` as declaration files had it once. TypeScript before 7 refuses it. */
const oldType = (declarations: string): string =>
	declarations.replace("getActions: ($fetch: Fetch)", `getActions: ($fetch: import("better-auth/client").BetterFetch)`);

const CONTROLS: Control[] = [
	...(["5.9.3", "6.0.3"] as const).map((compiler) => ({
		name: "the old type of getActions",
		compiler,
		change: oldType,
		isExpected: ({ code, text }: CompileError) => code === "TS2322" && text.includes("tenant-auth-client"),
	})),
	{
		name: "a client plugin without types",
		compiler: "7.0.2",
		change: (declarations) =>
			declarations.replace(/declare const tenantAuthClient: [\s\S]*?^};$/m, "declare const tenantAuthClient: any;"),
		isExpected: ({ code }) => code === "TS2578",
	},
];

/** Breaks a copy of the package in ways that the matrix must notice. Throws if it does not. Returns what was noticed. */
export const checkControls = async (folder: string): Promise<string[]> => {
	const seen: string[] = [];
	for (const [index, { name, compiler, change, isExpected }] of CONTROLS.entries()) {
		const place = `control-${index}`;
		const copy = join(folder, place, "node_modules/better-auth-tenants");
		await cp(join(folder, "node_modules/better-auth-tenants"), copy, { recursive: true });
		await cp(join(folder, "consumer"), join(folder, place, "consumer"), { recursive: true });
		const file = join(copy, "dist/client.d.ts");
		const declarations = await readFile(file, "utf8");
		const changed = change(declarations);
		assert.notEqual(changed, declarations, `${name}: client.d.ts has changed. Adapt proof/installed/controls.ts.`);
		await writeFile(file, changed);
		const setting = {
			compiler,
			resolution: "nodenext",
			skipLibCheck: true,
			exactOptionalPropertyTypes: false,
		} as const;
		const errors = await compile(folder, setting, { include: [`${place}/consumer/client.ts`] });
		assert.ok(errors.some(isExpected), `${name} passes with TypeScript ${compiler}. The matrix would not see it.`);
		seen.push(`${name} fails with TypeScript ${compiler}, as it must: ${errors.length} errors`);
	}
	return seen;
};
