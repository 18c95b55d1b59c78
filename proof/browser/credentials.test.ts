import { canarySecret } from "test-kit/canary";
import { beforeAll, describe, expect, it } from "vitest";
import type { ProviderId } from "./support/identity-server.ts";
import type { Visitor } from "./support/visitor.ts";
import { type Seen, useWorld } from "./support/world.ts";

const world = useWorld();
const ada = { sub: "ada-1", email: "ada@example.com", name: "Ada" };

/** What the callback path of each tenant's own clients ends with. Their options name a server. */
let ownCallback: Record<string, string> = {};

beforeAll(async () => {
	const acme = await world().newTenant("Acme");
	ownCallback = { acme: `/${acme.id}` };
	await world().registerClient(acme, "gitlab");
	await world().registerClient(acme, "microsoft");
	await world().newTenant("Cedar");
});

type Account = { id: string; providerId: string };

const accountOf = async (visitor: Visitor, provider: ProviderId): Promise<string> => {
	const { json } = await visitor.call("/list-accounts");
	return (json as Account[]).find(({ providerId }) => providerId === provider)?.id ?? "";
};

/** Expires a token, so that the engine refreshes it. */
const expire = (accountId: string) =>
	world().database.query(`update account set "accessTokenExpiresAt" = now() - interval '1 minute' where id = $1`, [
		accountId,
	]);

const refreshedWith = (seen: Seen, clientId: string) =>
	expect(seen.tokens).toEqual([
		{ provider: "gitlab", clientId, clientSecret: canarySecret(clientId), redirectURI: "", codeVerifier: false },
	]);

describe.each([
	{ place: "a tenant with its own credentials", slug: "acme", tenant: "Acme", own: "acme" },
	{ place: "a tenant with the global credentials", slug: "cedar", tenant: "Cedar", own: "global" },
])("after a sign-in to $place", ({ slug, tenant, own }) => {
	// threat 29
	it("gets, refreshes and uses tokens with its credentials", async () => {
		const visitor = await world().visitor();
		await visitor.signInWith("gitlab", ada, slug);
		const accountId = await accountOf(visitor, "gitlab");
		const clientId = `${own}-gitlab`;

		const fresh = await world().watch(async () => {
			const answer = await visitor.call("/get-access-token", { accountId });
			expect(answer).toMatchObject({ status: 200, json: { accessToken: expect.any(String) } });
		});
		expect(fresh.tokens).toEqual([]);

		await expire(accountId);
		const renewed = await world().watch(async () => {
			expect((await visitor.call("/get-access-token", { accountId })).status).toBe(200);
		});
		refreshedWith(renewed, clientId);

		const refreshed = await world().watch(async () => {
			expect((await visitor.call("/refresh-token", { accountId })).status).toBe(200);
		});
		refreshedWith(refreshed, clientId);

		await expire(accountId);
		const informed = await world().watch(async () => {
			const answer = await visitor.call(`/account-info?accountId=${accountId}`);
			expect(answer).toMatchObject({ status: 200, json: { user: { email: ada.email } } });
		});
		refreshedWith(informed, clientId);
		// the token that was presented for it belongs to the tenant too
		expect(informed.users).toEqual([clientId]);
	});

	it("links a second account with its credentials, uses it, and unlinks it", async () => {
		const ida = { sub: "ida-1", email: "ida@example.com", name: "Ida" };
		const visitor = await world().visitor();
		await visitor.signInWith("gitlab", ida, slug);
		const linking = await world().watch(async () => {
			await visitor.link("microsoft");
			await visitor.identify(ida);
			await visitor.allow();
			expect(await visitor.whereabouts()).toEqual({ email: ida.email, tenant });
		});
		const clientId = `${own}-microsoft`;
		expect(linking.tokens).toEqual([
			{
				provider: "microsoft",
				clientId,
				clientSecret: canarySecret(clientId),
				redirectURI: `${world().origin}/api/auth/tenant/callback/microsoft${ownCallback[own] ?? ""}`,
				codeVerifier: true,
			},
		]);
		expect((await visitor.linked()).sort()).toEqual(["GitLab", "Microsoft"]);
		if (slug === "acme") await visitor.photograph("linked-accounts");

		const accountId = await accountOf(visitor, "microsoft");
		const refreshed = await world().watch(async () => {
			expect((await visitor.call("/refresh-token", { accountId })).status).toBe(200);
		});
		expect(refreshed.tokens.map((request) => [request.provider, request.clientId])).toEqual([["microsoft", clientId]]);

		const leaving = await world().watch(async () => {
			await visitor.unlink("microsoft");
			await visitor.page.getByRole("button", { name: "Link Microsoft" }).waitFor();
			expect(await visitor.linked()).toEqual(["GitLab"]);
			await visitor.signOut();
		});
		// neither calls the provider
		expect(leaving).toEqual({ tokens: [], users: [] });
		expect(await visitor.call("/get-session")).toEqual({ status: 200, json: null });
		expect((await visitor.call("/get-access-token", { accountId })).status).toBe(401);
	});
});

// threats 11 and 29
it("does not find another tenant's account by any id", async () => {
	const bob = { sub: "bob-1", email: "bob@example.com", name: "Bob" };
	const [owner, neighbor] = [await world().visitor(), await world().visitor()];
	await owner.signInWith("gitlab", bob, "acme");
	await neighbor.signInWith("gitlab", bob, "cedar");
	const accountId = await accountOf(owner, "gitlab");
	const seen = await world().watch(async () => {
		for (const path of ["/get-access-token", "/refresh-token", "/unlink-account"]) {
			const answer = await neighbor.call(path, { accountId });
			expect([path, answer]).toMatchObject([path, { status: 400 }]);
		}
		expect((await neighbor.call(`/account-info?accountId=${accountId}`)).status).toBe(400);
	});
	expect(seen).toEqual({ tokens: [], users: [] });
	expect(await owner.linked()).toEqual(["GitLab"]);
});
