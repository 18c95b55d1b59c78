import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { publicPackages } from "./packages.ts";
import { withPackageVersion } from "./service-version.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

it("the packages, the service, its console, image and chart have one version", () => {
	expect(new Set(publicPackages(ROOT).map(({ version }) => version)).size).toBe(1);
	for (const [file, text] of withPackageVersion(read)) expect([file, read(file)]).toEqual([file, text]);
});

it("a new version is written to every place", () => {
	const next = (file: string): string =>
		file === "packages/tenants/package.json" ? JSON.stringify({ version: "7.8.9" }) : read(file);
	const texts = withPackageVersion(next);
	expect(texts.size).toBeGreaterThan(5);
	for (const [file, text] of texts) expect([file, text.includes("7.8.9")]).toEqual([file, true]);
	expect(texts.get("apps/server/kubernetes.yaml")).toContain("auth-migrate-7-8-9");
});

it("a file that does not name the version any more is noticed", () => {
	const without = (file: string): string => (file.endsWith("Chart.yaml") ? "name: auth\n" : read(file));
	expect(() => withPackageVersion(without)).toThrow("Chart.yaml");
});
