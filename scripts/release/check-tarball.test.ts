import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkPackage } from "./check-tarball.ts";

const expected = { name: "better-auth-tenants", version: "1.2.3", folder: "packages/tenants" };
const manifest = {
	name: "better-auth-tenants",
	version: "1.2.3",
	license: "MIT",
	repository: {
		url: "git+https://github.com/better-auth-tenants/better-auth-tenants.git",
		directory: "packages/tenants",
	},
	publishConfig: { access: "public", provenance: true },
	scripts: { build: "tsdown" },
	dependencies: { zod: "^4.5.4" },
};

let folder: string;
const write = (file: string, content: string): void => {
	mkdirSync(dirname(join(folder, file)), { recursive: true });
	writeFileSync(join(folder, file), content);
};
const describeAs = (changes: object): string[] => {
	write("package.json", JSON.stringify({ ...manifest, ...changes }));
	return checkPackage(folder, expected);
};

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "package-"));
	for (const file of ["LICENSE", "README.md", "dist/index.js"]) write(file, "x");
	write("CHANGELOG.md", "# better-auth-tenants\n\n## 1.2.3\n");
	write("dist/index.js.map", JSON.stringify({ sources: ["../src/index.ts"], sourcesContent: ["x"] }));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a tarball", () => {
	it("passes as it should be published", () => expect(describeAs({})).toEqual([]));

	it.each([
		["another version", { version: "1.2.4" }, "is better-auth-tenants@1.2.4"],
		["no license", { license: undefined }, "no license MIT"],
		["another repository", { repository: { url: "git+https://github.com/x/y.git" } }, "repository"],
		["restricted access", { publishConfig: { access: "restricted", provenance: true } }, "access"],
		["no provenance", { publishConfig: { access: "public" } }, "provenance"],
		["a script at installation", { scripts: { postinstall: "node x.js" } }, "runs a script at postinstall"],
		["a dependency of the workspace", { dependencies: { zod: "catalog:" } }, "needs zod from catalog:"],
		["a peer of the workspace", { peerDependencies: { x: "workspace:^" } }, "needs x from workspace:^"],
	])("fails with %s", (_name, changes, problem) => expect(describeAs(changes).join()).toContain(problem));

	it.each(["LICENSE", "README.md", "CHANGELOG.md"])("fails without %s", (file) => {
		rmSync(join(folder, file));
		expect(describeAs({})).toEqual([`contains no ${file}.`]);
	});

	it("fails without an entry in its changelog", () => {
		write("CHANGELOG.md", "# better-auth-tenants\n\n## 1.2.30\n");
		expect(describeAs({})).toEqual(["has no entry for 1.2.3 in CHANGELOG.md."]);
	});

	it.each(["src/index.ts", "dist/.env", "node_modules/x/index.js", "test/a.test.ts", "old.tgz"])(
		"fails with %s",
		(file) => {
			write(file, "x");
			expect(describeAs({})).toEqual([`contains ${file}.`]);
		},
	);

	it.each([
		["a path of the machine", { sources: ["/home/ada/src/index.ts"], sourcesContent: ["x"] }],
		["a file that is not in the package", { sources: ["../src/index.ts"] }],
	])("fails with a source map to %s", (_name, map) => {
		write("dist/index.js.map", JSON.stringify(map));
		expect(describeAs({}).join()).toContain("has dist/index.js.map, which points to");
	});
});
