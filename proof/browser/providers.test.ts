import type { Request } from "playwright-core";
import { canarySecret } from "test-kit/canary";
import { beforeAll, describe, expect, it } from "vitest";
import type { Place } from "./support/auth-pages.ts";
import type { ProviderId } from "./support/identity-server.ts";
import { useWorld } from "./support/world.ts";

const world = useWorld();
const ada = { sub: "ada-1", email: "ada@example.com", name: "Ada" };
let tenants: Place[];

beforeAll(async () => {
	tenants = [await world().newTenant("Acme"), await world().newTenant("Birch")];
	for (const tenant of tenants) {
		for (const provider of ["google", "apple", "microsoft"] as const) await world().registerClient(tenant, provider);
	}
});

/** Signs the same user in to both tenants, and checks whose credentials the provider received. */
const signInToBoth = async (provider: ProviderId): Promise<void> => {
	const users: unknown[] = [];
	for (const tenant of tenants) {
		const visitor = await world().visitor();
		const clientId = `${tenant.slug}-${provider}`;
		const { tokens } = await world().watch(() => visitor.signInWith(provider, ada, tenant.slug));
		expect(await visitor.whereabouts()).toEqual({ email: ada.email, tenant: tenant.name });
		expect(tokens).toMatchObject([{ provider, clientId, clientSecret: canarySecret(clientId), codeVerifier: true }]);
		users.push(
			...(await world().database.query(
				`select "userId" from account where "providerId" = $1 and split_part("accountId", '@', 1) = $2 and "tenantId" = $3`,
				[provider, ada.sub, tenant.id],
			)),
		);
	}
	expect(new Set(users.map((user) => JSON.stringify(user))).size).toBe(2);
};

it("Google signs users in over TLS, under its real host names", () => signInToBoth("google"));

// threat 19
it("accepts a Google ID token only in the tenant of its client", async () => {
	const visitor = await world().visitor();
	const [acme, birch] = tenants;
	await visitor.signInWith("google", ada, acme?.slug);
	const { json } = await visitor.call("/list-accounts");
	const accountId = (json as { id: string; providerId: string }[]).find((it) => it.providerId === "google")?.id;
	const { idToken: token } = (await visitor.call("/get-access-token", { accountId })).json as { idToken: string };
	await visitor.signOut();
	const signInTo = (tenant: Place | undefined) =>
		visitor.call("/sign-in/social", { tenantId: tenant?.id, provider: "google", idToken: { token } });
	expect(await signInTo(birch)).toMatchObject({ status: 401, json: { code: "INVALID_TOKEN" } });
	expect(await signInTo(acme)).toMatchObject({ status: 200, json: { user: { email: ada.email } } });
});

it("Microsoft signs users in at a custom authority", () => signInToBoth("microsoft"));

describe("Apple, which responds with a cross-site form post", () => {
	it("signs users in", () => signInToBoth("apple"));

	/** The requests to the callback, in order. */
	const callbacksOf = async () => {
		const visitor = await world().visitor();
		const sent: Request[] = [];
		visitor.page.on("request", (request) => {
			if (new URL(request.url()).pathname === "/api/auth/tenant/callback/apple") sent.push(request);
		});
		await visitor.signInWith("apple", ada, "acme");
		return Promise.all(sent.map(async (it) => ({ request: it, headers: await it.allHeaders() })));
	};

	it("is redirected as a GET, because the browser sends no flow cookie with a cross-site post", async () => {
		const [post, get, ...more] = await callbacksOf();
		expect(more).toEqual([]);
		expect(post?.request.method()).toBe("POST");
		expect(post?.headers).toMatchObject({ origin: "https://appleid.apple.com" });
		expect(post?.headers.cookie).toBeUndefined();
		expect(get?.request.method()).toBe("GET");
		expect(get?.headers.cookie).toContain("better-auth.state=");
	});

	// Known bug: the posted values are put into the URL, which histories and logs keep. Change to `it` once fixed.
	it("does not put the posted ID token into the URL", async () => {
		const urls = (await callbacksOf()).map(({ request }) => request.url());
		expect(urls.filter((url) => new URL(url).searchParams.has("id_token"))).toEqual([]);
	});
});
