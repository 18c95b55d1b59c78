import { createWorld, MANAGEMENT_KEY, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { readTag } from "../../src/scope/pin/tag.ts";

/** Tenants are resolved by host. Each host's front end is trusted in its tenant only. */
const createHostedWorld = async () => {
	const hosts = new Map<string, string>();
	const tenantOf = (request: Request | undefined) => (request && hosts.get(new URL(request.url).host)) ?? null;
	const world = await createWorld({
		tenantAuth: { management: { keys: [MANAGEMENT_KEY] }, resolveTenantId: ({ request }) => tenantOf(request) },
		engine: {
			trustedOrigins: (request) => (tenantOf(request) ? [`https://app.${new URL(request?.url ?? "").host}`] : []),
			socialProviders: { github: { clientId: "global", clientSecret: "global-secret" } },
		},
	});
	const a = await world.newTenant();
	const b = await world.newTenant();
	hosts.set("a.test", a).set("b.test", b);
	const at = (host: string, path: string) => `http://${host}/api/auth${path}`;
	return { ...world, a, b, at };
};

describe("an origin trusted in one tenant", () => {
	// threat 25
	it("is accepted as a redirect in it, and refused in another, whatever the request says besides its host", async () => {
		const { call, a, b, at } = await createHostedWorld();
		const start = (host: string, callbackURL: string, more: object = {}, tenant?: string) =>
			call(at(host, "/sign-in/social"), { tenant, body: { provider: "github", callbackURL, ...more } });
		expect((await start("a.test", "https://app.a.test/home")).status).toBe(200);
		// the host decides: a hint for B does not carry A's origins there
		const hinted = await start("a.test", "https://app.a.test/home", { tenantId: b }, b);
		expect(readTag(new URL(hinted.json.url).searchParams.get("state") ?? "")?.tenantId).toBe(a);
		const foreign = [
			await start("b.test", "https://app.a.test/home"),
			await start("b.test", "https://app.a.test/home", { tenantId: a }),
			await start("b.test", "https://app.a.test/home", {}, a),
			await start("a.test", "https://app.b.test/home", { tenantId: b }, b),
			await start("localhost:3000", "https://app.a.test/home", { tenantId: a }, a),
		];
		expect(foreign.map(({ status, code }) => [status, code])).toEqual(foreign.map(() => [403, "INVALID_CALLBACK_URL"]));
	});

	// threat 25
	it("cannot call another tenant, also under concurrent requests", async () => {
		const { call, signUp, a, b, at } = await createHostedWorld();
		const browsers = { "a.test": await signUp(a, "ada@example.com"), "b.test": await signUp(b, "ada@example.com") };
		const change = (host: "a.test" | "b.test", origin: string) =>
			call(at(host, "/update-user"), { browser: browsers[host].copy(), headers: { origin }, body: { name: "Eve" } });
		const attempts = await Promise.all(
			Array.from({ length: 40 }, (_, n) =>
				n % 2 ? change("a.test", "https://app.a.test") : change("b.test", "https://app.a.test"),
			),
		);
		expect(new Set(attempts.filter((_, n) => n % 2).map(({ status }) => status))).toEqual(new Set([200]));
		expect(new Set(attempts.filter((_, n) => n % 2 === 0).map(({ status, code }) => `${status} ${code}`))).toEqual(
			new Set(["403 INVALID_ORIGIN"]),
		);
	});

	// threat 25
	it("is the target of email links in that tenant only", async () => {
		const { call, mails, signUp, a, b, at } = await createHostedWorld();
		for (const tenant of [a, b]) await signUp(tenant, "ada@example.com", PASSWORD);
		const ask = (host: string) =>
			call(at(host, "/request-password-reset"), {
				body: { email: "ada@example.com", redirectTo: "https://app.a.test/reset" },
			});
		expect((await ask("b.test")).code).toBe("INVALID_REDIRECT_URL");
		expect(mails).toHaveLength(0);
		expect((await ask("a.test")).status).toBe(200);
		expect(mails).toHaveLength(1);
	});
});
