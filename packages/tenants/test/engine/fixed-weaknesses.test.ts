import { readFileSync } from "node:fs";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { createWorld, ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { FIXED_WEAKNESSES } from "../../src/engine/fixed-weaknesses.ts";
import { tenantAuth } from "../../src/index.ts";

const NONE: BetterAuthOptions = {
	baseURL: ORIGIN,
	secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
	// without a database, the engine turns the cache on
	session: { cookieCache: { enabled: false } },
};

/** Starts with a version of the engine and returns the warnings. */
const warningsOf = async (version: string, { plugins = [], ...options }: BetterAuthOptions = {}): Promise<string[]> => {
	const warnings: string[] = [];
	const tenants = tenantAuth();
	const init: typeof tenants.init = (context) => tenants.init({ ...context, version });
	const log = (level: string, message: string): void => {
		if (level === "warn" && message.startsWith("tenantAuth: better-auth ")) warnings.push(message);
	};
	await betterAuth({ ...NONE, ...options, logger: { log }, plugins: [{ ...tenants, init }, ...plugins] }).$context;
	return warnings;
};

const plugins = (...ids: string[]): BetterAuthOptions => ({ plugins: ids.map((id) => ({ id })) });
const cached: BetterAuthOptions = { session: { cookieCache: { enabled: true } } };
const client = { clientId: "client", clientSecret: "secret" };
const storage = {
	get: async () => null,
	set: async () => {},
	delete: async () => {},
	getAndDelete: async () => null,
	increment: async () => 1,
};

/** The smallest configuration for each row. */
const USES: Record<string, BetterAuthOptions[]> = {
	"user.changeEmail": [{ user: { changeEmail: { enabled: true } } }],
	"organization: roles": [plugins("organization")],
	"organization: invitations": [plugins("organization")],
	"genericOAuth: ID tokens": [plugins("generic-oauth")],
	"email_verified of providers": [
		plugins("generic-oauth"),
		{ socialProviders: { microsoft: client } },
		{ socialProviders: { cognito: { ...client, domain: "d", region: "r", userPoolId: "p" } } },
	],
	"phoneNumber: sign-up": [plugins("phone-number")],
	"phoneNumber: stored codes": [plugins("phone-number")],
	"session.cookieCache with deviceAuthorization": [{ ...cached, ...plugins("device-authorization") }],
	"session.cookieCache with twoFactor": [{ ...cached, ...plugins("two-factor") }],
	"session.cookieCache with phoneNumber": [{ ...cached, ...plugins("phone-number") }],
	"account.accountLinking.allowDifferentEmails": [{ account: { accountLinking: { allowDifferentEmails: true } } }],
	emailOTP: [plugins("email-otp")],
	secondaryStorage: [{ secondaryStorage: storage }],
	"anonymous with twoFactor": [plugins("anonymous", "two-factor")],
	"trustedOrigins with wildcards": [
		"http://192.168.*",
		"192.168.*",
		"192.168.*.*",
		"http://10.*:3000",
		"app://*.example.com/callback",
		"exp://192.168.*.*:*/**",
	].map((origin) => ({ trustedOrigins: [origin] })),
	oAuthProxy: [plugins("oauth-proxy")],
	"socialProviders.zoom": [{ socialProviders: { zoom: client } }],
	"socialProviders.facebook with getUserInfo": [
		{ socialProviders: { facebook: { ...client, getUserInfo: async () => null } } },
	],
	jwt: [plugins("jwt")],
	"session.cookieCache": [cached],
	"genericOAuth: discoveryHeaders": [
		{
			plugins: [
				{
					id: "generic-oauth",
					options: { config: [{ providerId: "one" }, { providerId: "two", discoveryHeaders: { "x-key": "secret" } }] },
				},
			],
		},
	],
	siwe: [plugins("siwe")],
};

/** Versions with a weakness that another one fixes. */
const BEFORE: Record<string, string[]> = {
	"1.7.18": ["1.7.7", "1.7.17", "1.7.18-beta.1"],
	"1.7.22": ["1.7.7", "1.7.18", "1.7.21", "1.7.22-beta.1"],
};

describe("a version of Better Auth with weaknesses that a later one fixes", () => {
	it("is tested with every row", () => {
		expect(Object.keys(USES)).toEqual(FIXED_WEAKNESSES.map(({ feature }) => feature));
	});

	it.each(FIXED_WEAKNESSES)("starts with one warning that names $feature and the fix", async (row) => {
		const line = `\n - ${row.feature}: ${row.attack}`;
		for (const options of USES[row.feature] ?? []) {
			for (const version of BEFORE[row.fixedIn] ?? []) {
				const warnings = await warningsOf(version, options);
				expect(warnings).toEqual([expect.stringContaining(line)]);
				expect(warnings[0]).toContain(`better-auth ${version} has`);
				expect(warnings[0]).toContain("Install better-auth 1.7.22 or later.");
			}
			expect((await warningsOf(row.fixedIn, options)).join()).not.toContain(line);
			for (const version of ["1.7.22", "1.7.23"]) expect(await warningsOf(version, options)).toEqual([]);
		}
	});

	it("starts without a warning if nothing of it is used", async () => {
		for (const options of [
			{},
			plugins("admin", "two-factor", "anonymous-users", "device-authorization"),
			{ user: { changeEmail: { enabled: false } } },
			{ trustedOrigins: ["https://app.example.com", "https://*.example.com", "http://192.168.0.1:3000", "app://cb"] },
			{ socialProviders: { facebook: client, google: client } },
		])
			expect([options, await warningsOf("1.7.7", options)]).toEqual([options, []]);
	});

	it("names only what is used, and warns once, however many tenants and requests there are", async () => {
		const [warning = ""] = await warningsOf("1.7.7", plugins("email-otp"));
		expect(warning.split("\n - ").slice(1)).toEqual([expect.stringMatching(/^emailOTP: /)]);

		const world = await createWorld();
		const { version } = await world.auth.$context;
		for (const tenant of [await world.newTenant(), await world.newTenant()])
			await world.signUp(tenant, "ada@example.com");
		const warned = world.logs.filter((line) => line.startsWith("warn tenantAuth: better-auth "));
		expect(warned).toHaveLength((await warningsOf(version, { user: { changeEmail: { enabled: true } } })).length);
	});

	it("has a row in docs/engine-versions.md for each of them", () => {
		const page = readFileSync(new URL("../../../../docs/engine-versions.md", import.meta.url), "utf8");
		const cells = page.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
		for (const { feature, fixedIn, attack } of FIXED_WEAKNESSES)
			expect(cells).toContainEqual(["", feature, attack, "open", fixedIn, expect.any(String), ""]);
	});
});
