import { expect, it } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { checkConsole } from "../../src/doctor/check-console.ts";
import { serverEnvironment } from "../command-line/support/environment.ts";
import { saying } from "./judge.ts";

const check = (given: Record<string, string>) =>
	checkConsole(
		readConfig(serverEnvironment("postgres://me@127.0.0.1/none", { PLUGINS: "admin,tenant-admin", ...given })),
	);

it("is off, or says who can open it", async () => {
	expect(saying(await check({}), "ok")).toEqual(["Off"]);
	const keysOnly = await check({ CONSOLE: "true" });
	expect(saying(keysOnly, "warning")).toEqual([
		"No user is an operator, so nobody can open the console of the platform",
	]);
	expect(saying(keysOnly, "ok")).toContain("Tenants have no branding, because PAGES is off");
	const complete = await check({ CONSOLE: "true", MANAGEMENT_ROLES: "admin", PAGES: "true", TENANT_RESOLVER: "path" });
	expect(complete.map(({ status, says }) => [status, says])).toEqual([
		["ok", "On for owners and admins of tenants, and for operators"],
	]);
});
