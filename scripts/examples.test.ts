import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const EXAMPLES = join(import.meta.dirname, "../examples");

it("gives every example the same stylesheet, which each has as a copy so that it stands alone", () => {
	const files = globSync("*/{public,src}/**/{styles,app}.css", { cwd: EXAMPLES });
	const sheets = new Set(files.map((file) => readFileSync(join(EXAMPLES, file), "utf8")));
	expect(files.length).toBeGreaterThanOrEqual(5);
	expect(sheets.size).toBe(1);
});

it("uses the client plugin wherever an example has a client, so that builds check its types", () => {
	const clients = globSync("*/src/**/*.{ts,tsx,svelte}", { cwd: EXAMPLES })
		.map((file) => readFileSync(join(EXAMPLES, file), "utf8"))
		.filter((text) => text.includes("createAuthClient("));
	expect(clients).toHaveLength(3);
	for (const text of clients) expect(text).toContain('import { tenantAuthClient } from "better-auth-tenants/client";');
});

it.each(["express-kysely", "cloudflare-workers", "hono-react", "nextjs", "sveltekit", "oidc-client"])(
	"%s has a build that checks its types, and pins one TypeScript",
	(name) => {
		const { scripts, devDependencies }: { scripts: { build: string }; devDependencies: { typescript: string } } =
			JSON.parse(readFileSync(join(EXAMPLES, name, "package.json"), "utf8"));
		expect(scripts.build).toMatch(/\b(tsc|svelte-check|next build)\b/);
		expect(devDependencies.typescript).toMatch(/^\d+\.\d+\.\d+$/);
	},
);
