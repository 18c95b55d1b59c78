import { expect, it } from "vitest";
import { VARIABLES } from "../../src/config/config.ts";
import { findNearMisses } from "../../src/config/near-misses.ts";
import { mistakesWith, read } from "./environment.ts";

it("has no console by default, and requires the plugins that know who may see what", () => {
	expect(read().console.enabled).toBe(false);
	expect(read({ CONSOLE: "true", PLUGINS: "admin,tenant-admin" }).console.enabled).toBe(true);
	expect(mistakesWith({ CONSOLE: "true" })).toEqual([
		"CONSOLE is true, but PLUGINS lacks admin and tenant-admin. Add admin,tenant-admin to PLUGINS",
	]);
	expect(mistakesWith({ CONSOLE: "true", PLUGINS: "admin" })).toEqual([
		"CONSOLE is true, but PLUGINS lacks tenant-admin. Add tenant-admin to PLUGINS",
	]);
	expect(mistakesWith({ CONSOLE: "yes" })).toEqual(["CONSOLE is neither true nor false. Use true or false"]);
});

it.each(["CONSOL", "CONSOLES", "TENANTS_CONSOLE", "BETTER_AUTH_CONSOLE", "console"])("warns of %s", (name) => {
	expect(findNearMisses({ [name]: "true" }, Object.keys(VARIABLES))).toEqual([
		{ name, says: `${name} has no effect`, fix: "Rename it if you meant CONSOLE." },
	]);
});
