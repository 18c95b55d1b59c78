import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const PACKAGES = [
	"better-auth",
	...["core", "passkey", "api-key", "sso", "scim", "oauth-provider", "stripe"].map((name) => `@better-auth/${name}`),
];

/** An empty collection of a module lives as long as the process and is filled by all tenants. */
const COLLECTION = /^(?:const|let|var) (\w+) = (?:\/\* @__PURE__ \*\/ )?new (?:Weak)?(?:Map|Set)\(\)/gm;

/** All collections that the installed packages keep for the whole process. */
export const processMemory = (): string[] =>
	PACKAGES.flatMap((name) => {
		const dist = join(rootOf(name), "dist");
		const files = globSync("**/*.mjs", { cwd: dist }).filter((file) => !file.startsWith("test-utils/"));
		return files.flatMap((file) =>
			[...readFileSync(join(dist, file), "utf8").matchAll(COLLECTION)].map(
				([, variable]) => `memory ${name} ${variable}`,
			),
		);
	});

const rootOf = (name: string): string => {
	const entry = createRequire(import.meta.url).resolve(name);
	return entry.slice(0, entry.lastIndexOf(`/${name}/`) + name.length + 2);
};
