import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";

const DIST = join(import.meta.dirname, "../../dist");

it("bundles no module that looks for files beside itself", () => {
	// an ECMAScript module has neither name: the first use would throw
	const users = globSync(`${DIST}/*.js`).filter((file) => /\b__(dirname|filename)\b/.test(readFileSync(file, "utf8")));
	expect(users.map((file) => basename(file))).toEqual([]);
});

it("leaves native code, and modules with threads or files of their own, to node_modules", () => {
	const imported = globSync(`${DIST}/*.js`).flatMap((file) =>
		[...readFileSync(file, "utf8").matchAll(/^import [^"]*"([^."][^"]*)";$/gm)].map(([, name = ""]) => name),
	);
	const external = new Set(imported.filter((name) => !name.startsWith("node:")));
	for (const name of ["@node-rs/bcrypt", "graphile-worker", "ioredis", "pg", "pino"]) expect(external).toContain(name);
	for (const name of external) expect(name).not.toMatch(/^(@?better-auth|zod|hono)/);
});
