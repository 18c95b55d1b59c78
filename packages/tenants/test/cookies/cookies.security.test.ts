import { Browser } from "test-kit/browser";
import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { getTenantCookieCache } from "../../src/cookies.ts";

const SECRET = "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe";
const STRATEGIES = ["compact", "jwt", "jwe"] as const;

const createCachedWorld = async (strategy: (typeof STRATEGIES)[number]) => {
	const world = await createWorld({ engine: { session: { cookieCache: { enabled: true, maxAge: 300, strategy } } } });
	const tenants = { a: await world.newTenant(), b: await world.newTenant() };
	const signUp = (tenant: string | undefined) => world.signUp(tenant, "ada@example.com");
	const browsers = { a: await signUp(tenants.a), b: await signUp(tenants.b), platform: await signUp(undefined) };
	const read = (browser: Browser, secret: string | readonly string[] = SECRET) =>
		getTenantCookieCache(new Headers({ cookie: browser.header() }), { secret, strategy, isSecure: false });
	return { ...tenants, browsers, read, second: await world.signUp(tenants.a, "second@example.com") };
};

/** One browser's token with the other browser's cached session. */
const mixed = (tokenOf: Browser, cacheOf: Browser): Browser => {
	const browser = tokenOf.copy();
	for (const [name, value] of cacheOf.cookies) if (name.includes("session_data")) browser.cookies.set(name, value);
	return browser;
};

describe.each(STRATEGIES)("getTenantCookieCache with the strategy %s", (strategy) => {
	it("returns the session and its tenant, also on the platform", async () => {
		const { a, b, browsers, read } = await createCachedWorld(strategy);
		const seen = await Promise.all([read(browsers.a), read(browsers.b), read(browsers.platform)]);
		expect(seen.map((one) => [one?.tenantId, one?.user.email])).toEqual([
			[a, "ada@example.com"],
			[b, "ada@example.com"],
			["platform", "ada@example.com"],
		]);
		expect(new Set(seen.map((one) => one?.user.id)).size).toBe(3);
	});

	// threat 42
	it("ignores a cache of another tenant, of the platform or of another session", async () => {
		const { browsers, read, second } = await createCachedWorld(strategy);
		const { a, b, platform } = browsers;
		for (const [token, cache] of [
			[a, b],
			[b, a],
			[a, platform],
			[platform, a],
		] as const) {
			expect(await read(mixed(token, cache))).toBeNull();
		}
		expect(await read(mixed(a, second))).toBeNull();
		expect((await read(second))?.user.email).toBe("second@example.com");
		expect(await read(a, "another secret of thirty-two characters")).toBeNull();
	});

	// threats 42 and 97
	it("tries every secret of a list, for the tenant of the token only", async () => {
		const { a, browsers, read } = await createCachedWorld(strategy);
		const other = "another secret of thirty-two characters";
		expect((await read(browsers.a, [other, SECRET]))?.tenantId).toBe(a);
		expect((await read(browsers.platform, [other, SECRET]))?.tenantId).toBe("platform");
		expect(await read(mixed(browsers.a, browsers.b), [other, SECRET])).toBeNull();
		expect(await read(browsers.a, [other])).toBeNull();
		expect(await read(browsers.a, [])).toBeNull();
	});

	// threat 42
	it("ignores changed tokens, and returns nothing without a token", async () => {
		const { browsers, read } = await createCachedWorld(strategy);
		const changed = browsers.a.copy();
		const name = [...changed.cookies.keys()].find((key) => key.endsWith("session_token")) ?? "";
		const token = changed.cookies.get(name) ?? "";
		for (const value of [`x${token}`, token.replace(/~[^.]*/, ""), token.replace("~", "~~"), "", "~", "."]) {
			changed.cookies.set(name, value);
			expect(await read(changed), value).toBeNull();
		}
		changed.cookies.delete(name);
		expect(await read(changed)).toBeNull();
		expect(await read(new Browser())).toBeNull();
	});
});
