import type { AuthContext } from "@better-auth/core";
import { admin, twoFactor } from "better-auth/plugins";
import { createWorld } from "test-kit/world";
import { describe, expect, it, vi } from "vitest";
import type { PolicyRules } from "../../src/features/policy/rules.ts";
import { withTenants } from "../../src/plugin/with-tenants.ts";
import { tenantPolicy } from "../../src/policy.ts";
import { findTenantLeaks, type TenantIsolationSide } from "../../src/testing.ts";

vi.setConfig({ testTimeout: 120_000 });

const createStrict = (defaults: Partial<PolicyRules>) =>
	createWorld({ allPlugins: withTenants({}, [twoFactor(), admin(), tenantPolicy({ defaults })]) });

const RULES: [name: string, rules: Partial<PolicyRules>][] = [
	["closed sign-up", { signUp: "closed" }],
	["sign-up by invitation", { signUp: "invitation" }],
	["email domains of others", { emailDomains: ["acme.com"] }],
	["long passwords", { minPasswordLength: 40 }],
	["short passwords", { maxPasswordLength: 12 }],
	["second factors of everyone", { secondFactor: "required" }],
	["second factors of administrators", { secondFactor: "required-for-admins" }],
];

// threat 65
describe("the isolation test", () => {
	it.each(RULES)("reaches endpoints in tenants with %s", async (_name, rules) => {
		const { auth, logs } = await createStrict(rules);
		const sides: TenantIsolationSide[] = [];
		const paths = ["/list-sessions", "/change-password"];
		const before = logs.length;
		const printed = vi.spyOn(console, "error");
		const report = await findTenantLeaks(auth, {
			only: paths,
			log: false,
			prepare: async (side) => void sides.push(side),
		});
		expect(report.leaks).toEqual([]);
		expect(report.reached).toEqual(["POST /change-password", "GET /list-sessions"]);
		// the adapter has a logger of its own, which says how it starts
		expect(logs.slice(before).filter((line) => !line.startsWith("debug"))).toEqual([]);
		expect(printed).not.toHaveBeenCalled();
		expect(sides.map(({ label }) => label)).toEqual(["A", "B", "platform"]);
		// the second user of every side has an authenticator, and its backup codes
		for (const { tokens } of sides) expect(tokens.map(({ purpose }) => purpose)).toContain("backup code");
	});

	it("lets Better Auth log and send again when it ends", async () => {
		const { auth, logs, mails, signUp, newTenant, call } = await createWorld();
		const { logger, options } = (await auth.$context) as AuthContext;
		const before = { ...logger };
		const send = options.emailAndPassword?.sendResetPassword;
		await findTenantLeaks(auth, { only: ["/get-session", "/request-password-reset"], log: false });
		expect({ ...logger }).toEqual(before);
		expect(options.emailAndPassword?.sendResetPassword).toBe(send);
		const tenant = await newTenant();
		await signUp(tenant, "ada@example.com");
		mails.length = 0;
		await call("/request-password-reset", { tenant, body: { email: "ada@example.com" } });
		expect(mails).toHaveLength(1);
		const logged = logs.length;
		logger.error("after the run");
		expect(logs.slice(logged)).toEqual([expect.stringContaining("after the run")]);
	});

	it("prints what Better Auth logs if it is asked to", async () => {
		const { auth, logs } = await createWorld();
		const before = logs.length;
		await findTenantLeaks(auth, { only: ["/sign-in/email"], log: false, verbose: true });
		expect(logs.slice(before).join("\n")).toContain("Invalid password");
	});
});
