import { rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { compile } from "./compile.ts";
import { type CompileError, countOthers, isOurs } from "./compile-errors.ts";
import { checkControls } from "./controls.ts";
import { createFolder } from "./install.ts";
import { MATRIX, nameOf, SCRIPT_MATRIX, type Setting, SHORT_MATRIX } from "./matrix.ts";
import { writePages } from "./pages.ts";

const HELP = `Installs the packed packages in an empty folder and compiles the code of users with every setting. Needs \`pnpm build\`.

  pnpm installed          all settings
  pnpm installed --short  without those whose errors another setting reports, too
  pnpm installed --keep   leaves the folder, and prints its name`;

const { values } = parseArgs({
	options: { help: { type: "boolean" }, keep: { type: "boolean" }, short: { type: "boolean" } },
});
if (values.help) {
	console.log(HELP);
	process.exit(0);
}

/** The compiler uses one core, mostly. */
const PARALLEL = 2;
const LOOSE = { strict: false, noImplicitAny: false, strictNullChecks: false, allowJs: true, checkJs: true };

const folder = await createFolder();
try {
	const { typed, scripts } = await writePages(folder);
	const shared = ["frameworks.d.ts"];
	const runs = [
		...(values.short ? SHORT_MATRIX : MATRIX).map((setting) => ({
			setting,
			name: nameOf(setting),
			program: { include: ["consumer", "snippets", ...shared, ...typed[setting.resolution]] },
		})),
		...SCRIPT_MATRIX.map((setting) => ({
			setting,
			name: `JavaScript of the pages, ${nameOf(setting)}`,
			program: { include: [...shared, ...scripts[setting.resolution]], options: LOOSE },
		})),
	];
	const failed: string[] = [];
	const report = (name: string, seconds: string, errors: CompileError[]): void => {
		const ours = errors.filter(isOurs);
		if (ours.length > 0) failed.push(name);
		const others = Object.entries(countOthers(errors)).map(([owner, count]) => `${owner} ${count}`);
		const verdict = ours.length > 0 ? `${ours.length} ERRORS` : "passes";
		console.log(
			`${seconds.padStart(6)} s  ${name}: ${verdict}${others.length > 0 ? `, errors in ${others.join(", ")}` : ""}`,
		);
		for (const { place, code, text } of ours) console.log(`          ${place}: ${code}: ${text}`);
	};
	const work = async (): Promise<void> => {
		for (let run = runs.shift(); run; run = runs.shift()) {
			const { setting, name, program }: { setting: Setting; name: string; program: { include: string[] } } = run;
			const began = performance.now();
			const errors = await compile(folder, setting, program);
			report(name, ((performance.now() - began) / 1000).toFixed(1), errors);
		}
	};
	await Promise.all(Array.from({ length: PARALLEL }, work));
	for (const line of await checkControls(folder)) console.log(`          ${line}`);
	if (failed.length > 0) throw new Error(`The packages do not compile for their users: ${failed.join("; ")}`);
} finally {
	if (values.keep) console.log(folder);
	else await rm(folder, { recursive: true, force: true });
}
