import { createAuthClient } from "better-auth/client";
import { Browser } from "test-kit/browser";
import { passTime } from "test-kit/pass-time";
import { globalProviders, useIdentityProvider } from "test-kit/social";
import { createWorld, MANAGEMENT_KEY, ORIGIN, PASSWORD, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { TENANT_AUTH_ERROR_CODES, tenantAuthClient } from "../../src/client.ts";

const idp = useIdentityProvider();

/** A client that calls a world's engine with a browser's cookies. */
const connect = (
	world: World,
	options: Parameters<typeof tenantAuthClient>[0] = {},
	headers: Record<string, string> = {},
) => {
	const browser = new Browser();
	const client = createAuthClient({
		baseURL: ORIGIN,
		plugins: [tenantAuthClient(options)],
		fetchOptions: {
			headers,
			customFetchImpl: async (input, init) => {
				const request = new Request(input, init);
				const sent = new Headers(request.headers);
				sent.set("origin", ORIGIN);
				if (browser.cookies.size > 0) sent.set("cookie", browser.header());
				const response = await world.auth.handler(new Request(request, { headers: sent }));
				browser.take(response);
				return response;
			},
		},
	});
	return { client, browser };
};

describe("the client plugin", () => {
	it("manages tenants and OAuth configs", async () => {
		const world = await createWorld();
		const { client } = connect(world, {}, { authorization: `Bearer ${MANAGEMENT_KEY}` });
		const { data: made } = await client.tenant.create({ name: "Acme", slug: "acme" });
		expect(made?.slug).toBe("acme");
		const id = made?.id ?? "";
		expect((await client.tenant.get({ query: { slug: "acme" } })).data?.id).toBe(id);
		expect((await client.tenant.list({ query: { limit: 10 } })).data?.length).toBe(1);
		passTime(1);
		const newer = (await client.tenant.create({ name: "Globex", slug: "globex" })).data?.id;
		const first = await client.tenant.listPage({ limit: 1 });
		expect(first.data).toMatchObject({ tenants: [{ id: newer }], nextCursor: expect.any(String) });
		const second = await client.tenant.listPage({ limit: 1, cursor: first.data?.nextCursor ?? "" });
		expect(second.data).toMatchObject({ tenants: [{ id }], nextCursor: null });
		expect((await client.tenant.listPage({ cursor: "x" })).error?.code).toBe("INVALID_CURSOR");
		const stranger = connect(world).client;
		expect((await stranger.tenant.listPage()).error?.code).toBe("TENANT_MANAGEMENT_UNAUTHORIZED");
		const asOperator = { headers: { authorization: `Bearer ${MANAGEMENT_KEY}` } };
		expect((await stranger.tenant.listPage({}, asOperator)).data?.tenants.length).toBe(2);
		expect((await client.tenant.update({ tenantId: id, name: "Acme Inc." })).data?.name).toBe("Acme Inc.");
		const registered = await client.tenant.oauthConfig.register({
			tenantId: id,
			providerId: "github",
			clientId: "c",
			clientSecret: "s",
		});
		expect(registered.data?.clientId).toBe("c");
		expect((await client.tenant.oauthConfig.list({ query: { tenantId: id } })).data?.length).toBe(1);
		const test = { tenantId: id, providerId: "github", callbackURL: "/admin" };
		expect((await client.tenant.oauthConfig.test(test)).data?.url).toContain(
			"https://github.com/login/oauth/authorize",
		);
		expect((await client.tenant.oauthConfig.delete({ tenantId: id, providerId: "github" })).data).toEqual({
			success: true,
		});
		expect((await client.tenant.delete({ tenantId: id })).data).toEqual({ success: true });
		const missing = await client.tenant.get({ query: { id } });
		expect(missing.error?.code).toBe(TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND.code);
	});

	it("sends the tenant with every request, so Better Auth's own calls run in it", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		let current = a;
		const { client } = connect(world, { tenantId: () => current });
		await client.signUp.email({ name: "Ada", email: "ada@example.com", password: PASSWORD });
		expect((await client.getSession()).data?.session.tenantId).toBe(a);
		current = b;
		expect(await client.getSession()).toMatchObject({ data: null, error: null });
		expect((await client.listSessions()).error?.code).toBe("SESSION_TENANT_MISMATCH");
		expect(
			(await client.tenant.signUp.email({ name: "Ada", email: "ada@example.com", password: PASSWORD })).data?.session,
		).toMatchObject({ tenantId: b });
		expect((await client.getSession()).data?.session.tenantId).toBe(b);
	});

	it("refreshes the session store after sign-in, sign-up and sign-out", async () => {
		const world = await createWorld();
		const tenantId = await world.newTenant();
		const { client } = connect(world);
		let signals = 0;
		client.$store.listen("$sessionSignal", () => {
			signals += 1;
		});
		const before = signals;
		await client.tenant.signUp.email({ tenantId, name: "Ada", email: "ada@example.com", password: PASSWORD });
		await new Promise((resolve) => setTimeout(resolve, 50));
		const afterSignUp = signals;
		expect(afterSignUp).toBeGreaterThan(before);
		await client.tenant.signIn.email({ tenantId, email: "ada@example.com", password: PASSWORD });
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(signals).toBeGreaterThan(afterSignUp);
	});

	it("starts a social sign-in", async () => {
		const world = await createWorld({ engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } } });
		const tenantId = await world.newTenant();
		const { client, browser } = connect(world, { tenantId });
		const started = await client.tenant.signIn.social({
			provider: "gitlab",
			callbackURL: "/home",
			disableRedirect: true,
		});
		expect(started.data?.redirect).toBe(false);
		await world.call(await idp().authorize(started.data?.url ?? "", { sub: "s-1", email: "ada@example.com" }), {
			browser,
		});
		expect((await client.getSession()).data?.session.tenantId).toBe(tenantId);
	});
});
