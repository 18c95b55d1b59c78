import { describe, expect, it } from "vitest";
import { createConsolePaths } from "../../src/http/console-files/console-paths.ts";

describe("createConsolePaths", () => {
	const byPath = createConsolePaths("/t/:tenant");
	const byHost = createConsolePaths(null);

	it.each([
		["/console", { base: "" }],
		["/console/", { base: "" }],
		["/console/tenants", { base: "" }],
		["/console/assets/index-1.js", { file: "assets/index-1.js" }],
		["/console/favicon.svg", { file: "favicon.svg" }],
	])("maps %s on every host", (path, place) => {
		expect(byHost(path)).toEqual(place);
		expect(byPath(path)).toEqual(place);
	});

	it("maps the pages below a tenant's path, with the path as their base", () => {
		expect(byPath("/t/acme/console")).toEqual({ base: "/t/acme" });
		expect(byPath("/t/globex/console/account")).toEqual({ base: "/t/globex" });
		expect(byHost("/t/acme/console")).toBeNull();
	});

	it.each([
		"/",
		"/consoles",
		"/consol",
		"/x/console",
		"/t/acme",
		"/t/console",
		"/t//console",
		"/t/ACME/console",
		'/t/a"b/console',
		"/t/a%22b/console",
		"/t/-a/console",
		"/t/acme/x/console",
		"/t/acme/consoles",
	])("leaves %s to others", (path) => {
		expect(byPath(path)).toBeNull();
	});
});
