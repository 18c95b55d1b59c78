import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { admin, twoFactor } from "better-auth/plugins";
import Database from "better-sqlite3";
import { isEngineFrom } from "test-kit/engine-version";
import { expect, it, vi } from "vitest";
import { tenantAdmin, tenantInvitations, tenantRoles } from "../../src/admin.ts";
import { withTenants } from "../../src/index.ts";
import { tenantLifecycle } from "../../src/lifecycle.ts";
import { tenantPolicy } from "../../src/policy.ts";
import { fromSubdomain } from "../../src/resolvers.ts";
import { assertTenantIsolation, type TenantIsolationAuth } from "../../src/testing.ts";

const pageOf = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), "utf8");
const blockOf = (page: string, mark: string): string => {
	const code = new RegExp(`<!-- ${mark} -->\\n\\n\`\`\`ts\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1];
	if (!code) throw new Error(`The page has no block ${mark}. Add the comment above a code block.`);
	return code;
};

const TEST = blockOf(pageOf("testing.md"), "testing:b2b");
const GUIDE = blockOf(pageOf("guides/b2b.md"), "b2b:auth.js");

/** The plugins of a configuration, without spaces, comments and the mailer, in which the two may differ. */
const pluginsOf = (code: string): string =>
	(/plugins: withTenants[\s\S]*?\n\t\]\),/.exec(code)?.[0] ?? "").replaceAll(/\s|\/\/ .*|sendInvitation:.*/g, "");

it("the page tests the plugins of the B2B guide", () => {
	expect(pluginsOf(TEST)).toContain("tenantPolicy(");
	expect(pluginsOf(TEST)).toBe(pluginsOf(GUIDE));
});

it("the page's file passes, and prints nothing of Better Auth", { timeout: 300_000 }, async () => {
	const printed = [vi.spyOn(console, "error"), vi.spyOn(console, "warn"), vi.spyOn(console, "log")];
	const tests: (() => Promise<void>)[] = [];
	runInNewContext(TEST.replaceAll(/^import .*$/gm, ""), {
		...{ betterAuth, admin, twoFactor, Database, withTenants, fromSubdomain, getMigrations, expect },
		...{ tenantAdmin, tenantInvitations, tenantLifecycle, tenantPolicy, tenantRoles },
		it: (_name: string, _options: object, test: () => Promise<void>) => tests.push(test),
		// some of the paths, because this runs with every change
		assertTenantIsolation: (auth: TenantIsolationAuth) =>
			assertTenantIsolation(auth, {
				only: ["/tenant/user/list", "/tenant/invitation/create", "/tenant/invitation/accept"],
				log: false,
			}),
	});
	expect(tests).toHaveLength(1);
	for (const test of tests) await test();
	const lines = printed.flatMap((spy) => spy.mock.calls.map((line) => line.join(" ")));
	// Better Auth 1.7.7 checks the tables when it starts, which is before the page creates them
	expect(lines.filter((line) => isEngineFrom(22) || !line.includes("Database schema mismatch"))).toEqual([]);
	vi.restoreAllMocks();
});
