import { type BetterAuthOptions, betterAuth } from "better-auth";
import { afterEach, describe, expect, it, vi } from "vitest";
import { tenantAuth } from "../src/index.ts";
import { firstOf, fromCustomDomain, fromPath, fromSubdomain } from "../src/resolvers.ts";

const DYNAMIC = {
	allowedHosts: ["app.example.com"],
	fallback: "https://app.example.com",
	protocol: "https" as const,
};
const bySubdomain = fromSubdomain({ domain: "app.example.com" });

afterEach(() => {
	vi.unstubAllEnvs();
});

/** The error of a start, or "started". */
const start = async (options: BetterAuthOptions, resolveTenantId = bySubdomain): Promise<string> => {
	try {
		await betterAuth({
			secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
			logger: { disabled: true },
			baseURL: DYNAMIC,
			...options,
			plugins: [tenantAuth({ resolveTenantId })],
		}).$context;
		return "started";
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
};

describe("starting with a resolver that reads the host", () => {
	it("works with a dynamic base URL", async () => {
		for (const resolver of [bySubdomain, fromCustomDomain(), firstOf(fromCustomDomain(), bySubdomain)])
			expect(await start({}, resolver)).toBe("started");
		const local = { allowedHosts: ["localhost:3000"], fallback: "http://localhost:3000", protocol: "http" as const };
		expect(await start({ baseURL: local }, fromSubdomain({ domain: "localhost" }))).toBe("started");
	});

	it("throws for a static base URL, and says what to set", async () => {
		for (const resolver of [bySubdomain, fromCustomDomain(), firstOf(bySubdomain, () => null)]) {
			const refused = await start({ baseURL: "https://app.example.com" }, resolver);
			expect(refused).toMatch(/`baseURL` is one URL for all hosts.*Set baseURL: \{ allowedHosts: \[/s);
		}
		// these read no host
		for (const resolver of [fromPath({ pattern: "/t/:tenant/" }), () => null])
			expect(await start({ baseURL: "https://app.example.com" }, resolver)).toBe("started");
	});

	it("throws for a missing or unfit fallback, and for another protocol", async () => {
		for (const fallback of [undefined, "https://app.example.com/auth", "app.example.com", "ftp://app.example.com"]) {
			const refused = await start({ baseURL: { ...DYNAMIC, fallback } });
			expect([fallback, refused]).toEqual([fallback, expect.stringContaining("`baseURL.fallback` must be the URL")]);
		}
		for (const protocol of [undefined, "auto", "http"] as const)
			expect(await start({ baseURL: { ...DYNAMIC, protocol } })).toContain('Set baseURL.protocol: "https"');
	});

	// threat 91
	it("throws for a platform that could be a tenant's subdomain, unless it is named", async () => {
		const baseURL = { ...DYNAMIC, fallback: "https://hq.app.example.com" };
		expect(await start({ baseURL })).toContain('Add "hq.app.example.com" to platformHosts');
		const named = fromSubdomain({ domain: "app.example.com", platformHosts: ["hq.app.example.com"] });
		expect(await start({ baseURL }, named)).toBe("started");
	});

	// threat 90
	it("throws for cookies that other tenants' hosts would receive", async () => {
		const cookies: NonNullable<BetterAuthOptions["advanced"]>[] = [
			{ crossSubDomainCookies: { enabled: true } },
			{ crossSubDomainCookies: { enabled: true, domain: "example.com" } },
			{ defaultCookieAttributes: { domain: "example.com" } },
			{ cookies: { session_token: { attributes: { domain: "example.com" } } } },
		];
		for (const advanced of cookies)
			expect(await start({ advanced })).toMatch(/sends the cookies of one tenant.*Remove it/s);
		expect(await start({ advanced: { crossSubDomainCookies: { enabled: false } } })).toBe("started");
	});

	// threat 25
	it("throws for a pattern that trusts all tenants' pages", async () => {
		for (const origin of [
			"https://*.app.example.com",
			"*.example.com",
			"https://*",
			"*",
			"https://*.app.example.com:*",
			"https://*.app.example.com/**",
			"http*://*.app.example.com",
			"*://*.app.example.com",
			"https://a*.app.example.com",
			"https://team-?.app.example.com",
		])
			expect([origin, await start({ trustedOrigins: [origin] })]).toEqual([
				origin,
				expect.stringContaining("a page of one tenant could call the others"),
			]);
		const harmless = ["https://pages.example", "https://*.preview.example", "https://*.hq.app.example.com"];
		expect(await start({ trustedOrigins: harmless })).toBe("started");
		// Better Auth reads more origins from the environment
		vi.stubEnv("BETTER_AUTH_TRUSTED_ORIGINS", "https://pages.example,https://*.app.example.com");
		expect(await start({})).toContain("a page of one tenant could call the others");
	});

	it("throws for a domain that is no host", () => {
		expect(() => fromSubdomain({ domain: "https://app.example.com" })).toThrow("is not a host name");
		expect(() => fromCustomDomain({ platformHosts: ["a b"] })).toThrow("is not a host name");
	});
});
