import { apiKey } from "@better-auth/api-key";
import { jwt, oneTimeToken, twoFactor } from "better-auth/plugins";
import type { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";

/** What outlasts a cached cookie. */
const LASTING: [string, object?][] = [
	["/token"],
	["/api-key/create", { name: "ci" }],
	["/two-factor/enable", { password: PASSWORD }],
];

describe.each(["compact", "jwt", "jwe"] as const)("a session that was ended and is still cached (%s)", (strategy) => {
	const start = async (options: Parameters<typeof jwt>[0] = {}) => {
		const world = await composedWorld([jwt(options), apiKey(), oneTimeToken(), twoFactor()], {
			engine: { session: { cookieCache: { enabled: true, maxAge: 300, strategy } } },
		});
		const [ada, neighbor] = [
			await world.signUp(world.a, "ada@example.com"),
			await world.signUp(world.b, "ada@example.com"),
		];
		// the thief copies the cookies, and Ada ends this one session
		const stolen = ada.copy();
		const end = async () => {
			const { session } = (await world.ok("/get-session", { browser: ada })).json;
			const own = ada.copy();
			await world.ok("/revoke-session", { browser: own, body: { token: session.token } });
		};
		const headerOf = async (browser: Browser) =>
			(await world.ok("/get-session", { browser: browser.copy() })).headers.get("set-auth-jwt");
		return { world, ada, neighbor, stolen, end, headerOf };
	};

	// threat 164
	it("gets no JWT and no other credential", async () => {
		const { world, neighbor, stolen, end, headerOf } = await start();
		expect(await headerOf(stolen)).not.toBeNull();
		await end();
		for (const [path, body] of LASTING) {
			const { status } = await world.call(path, { browser: stolen.copy(), ...(body ? { body } : {}) });
			expect([path, status]).toEqual([path, 401]);
		}
		expect(await headerOf(stolen)).toBeNull();
		// it names the session that ended
		const { token } = (await world.ok("/one-time-token/generate", { browser: stolen.copy() })).json;
		expect((await world.call("/one-time-token/verify", { tenant: world.a, body: { token } })).status).toBe(400);
		expect((await world.ok("/token", { browser: neighbor.copy() })).json.token).toEqual(expect.any(String));
		expect(await headerOf(neighbor)).not.toBeNull();
	});

	it("is returned without a JWT until the cache ends, if the header is off", async () => {
		const { world, stolen, end, headerOf } = await start({ disableSettingJwtHeader: true });
		await end();
		expect((await world.ok("/get-session", { browser: stolen.copy() })).json.user.email).toBe("ada@example.com");
		expect(await headerOf(stolen)).toBeNull();
		expect((await world.call("/token", { browser: stolen.copy() })).status).toBe(401);
	});
});
