import { describe, expect, it } from "vitest";
import { checkSbom } from "./check-sbom.ts";

const expected = {
	name: "better-auth-tenants",
	version: "1.2.3",
	direct: ["zod"],
	others: ["vitest", "@better-auth/core"],
};
const licenses = [{ license: { id: "MIT" } }];
const itself = {
	name: "better-auth-tenants",
	version: "1.2.3",
	purl: "pkg:npm/better-auth-tenants@1.2.3?x=y",
	licenses,
};
const zod = { name: "zod", version: "4.6.7", purl: "pkg:npm/zod@4.6.7", licenses };
const check = ({ component = {}, components = [zod] as object[], ...rest }) =>
	checkSbom(
		{
			bomFormat: "CycloneDX",
			specVersion: "1.6",
			metadata: { component: { ...itself, ...component } },
			components,
			dependencies: [],
			...rest,
		},
		expected,
	).join("\n");

describe("an SBOM", () => {
	it("passes with the package and its production dependencies", () => expect(check({})).toBe(""));

	it.each([
		["another format", { bomFormat: "SPDX" }, "/bomFormat"],
		["another version", { component: { version: "1.2.4" } }, "describes better-auth-tenants@1.2.4"],
		["another package", { component: { purl: "pkg:npm/better-auth@1.2.3" } }, "identifies the package as"],
		["no purl", { component: { purl: undefined } }, "/metadata/component/purl"],
		["a component without a license", { components: [{ ...zod, licenses: [] }] }, "/components/0/licenses"],
		["a missing dependency", { components: [] }, "does not list zod"],
		["a development dependency", { components: [zod, { ...zod, name: "vitest" }] }, "lists vitest"],
		[
			"a peer with a scope",
			{ components: [zod, { ...zod, group: "@better-auth", name: "core" }] },
			"@better-auth/core",
		],
	])("fails with %s", (_name, changes, problem) => expect(check(changes)).toContain(problem));
});
