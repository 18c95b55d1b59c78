import { canarySecret } from "test-kit/canary";
import { beforeAll, describe, expect, it } from "vitest";
import type { Place } from "./support/auth-pages.ts";
import { useWorld } from "./support/world.ts";

const world = useWorld();
const ada = { sub: "ada-1", email: "ada@example.com", name: "Ada" };

/** Acme and Birch have their own clients at GitLab. Cedar and the platform share the application's. */
let acme: Place;
let birch: Place;
let cedar: Place;

beforeAll(async () => {
	acme = await world().newTenant("Acme");
	birch = await world().newTenant("Birch");
	cedar = await world().newTenant("Cedar");
	await world().registerClient(acme, "gitlab");
	await world().registerClient(birch, "gitlab");
});

const countOf = async (table: "user" | "account", tenantId: string): Promise<number> =>
	Number(
		(await world().database.query(`select count(*) as n from "${table}" where "tenantId" = $1`, [tenantId]))[0]?.n,
	);

describe("a user in a browser", () => {
	it("signs up with a provider, signs out, and signs in again as the same user", async () => {
		const visitor = await world().visitor();
		const grace = { sub: "grace-1", email: "grace@example.com", name: "Grace" };
		await visitor.open("acme");
		await visitor.photograph("sign-in");
		await visitor.choose("gitlab");
		await visitor.page.getByLabel("Account").waitFor();
		await visitor.photograph("provider-sign-in");
		await visitor.identify(grace);
		await visitor.photograph("provider-consent");
		await visitor.allow();
		expect(await visitor.whereabouts()).toEqual({ email: grace.email, tenant: "Acme" });
		await visitor.photograph("signed-in");
		await visitor.signOut();

		// the provider remembers the user and the consent, so it asks nothing
		await visitor.open("acme");
		await visitor.choose("gitlab");
		expect(await visitor.whereabouts()).toEqual({ email: grace.email, tenant: "Acme" });
		expect([await countOf("user", acme.id), await countOf("account", acme.id)]).toEqual([1, 1]);
	});

	// threat 7
	it("is four users with four accounts in three tenants and on the platform", async () => {
		const visitor = await world().visitor();
		const journeys = [
			{ slug: "acme", tenant: "Acme", clientId: "acme-gitlab", callback: `/tenant/callback/gitlab/${acme.id}` },
			{ slug: "birch", tenant: "Birch", clientId: "birch-gitlab", callback: `/tenant/callback/gitlab/${birch.id}` },
			{ slug: "cedar", tenant: "Cedar", clientId: "global-gitlab", callback: "/tenant/callback/gitlab" },
			{ slug: undefined, tenant: "none: the platform", clientId: "global-gitlab", callback: "/callback/gitlab" },
		];
		const consented = new Set<string>();
		for (const visit of ["first", "second"]) {
			for (const { slug, tenant, clientId, callback } of journeys) {
				const { tokens } = await world().watch(async () => {
					await visitor.open(slug);
					await visitor.choose("gitlab");
					// consent is asked once per client, for all its tenants
					if (consented.size === 0) await visitor.identify(ada);
					if (!consented.has(clientId)) await visitor.allow();
					consented.add(clientId);
					expect([visit, await visitor.whereabouts()]).toEqual([visit, { email: ada.email, tenant }]);
				});
				expect(tokens).toEqual([
					{
						provider: "gitlab",
						clientId,
						clientSecret: canarySecret(clientId),
						redirectURI: `${world().origin}/api/auth${callback}`,
						codeVerifier: true,
					},
				]);
				await visitor.signOut();
			}
		}

		const users = await world().database.query(`select "tenantId" from "user" where email = $1`, [ada.email]);
		// an account id may include, after an @, which server identified the user
		const accounts = await world().database.query(
			`select a."tenantId", a."userId" from account a join "user" u on u.id = a."userId" and u."tenantId" = a."tenantId"
			where u.email = $1 and a."providerId" = 'gitlab' and split_part(a."accountId", '@', 1) = $2`,
			[ada.email, ada.sub],
		);
		const places = [acme.id, birch.id, cedar.id, "platform"].sort();
		expect(users.map(({ tenantId }) => tenantId).sort()).toEqual(places);
		expect(accounts.map(({ tenantId }) => tenantId).sort()).toEqual(places);
		expect(new Set(accounts.map(({ userId }) => userId)).size).toBe(4);
	});

	it("signs in at the tenant's own server with the tenant's client", async () => {
		const elm = await world().newTenant("Elm");
		const clientId = await world().registerClient(elm, "gitlab", { options: world().ownGitlab });
		const visitor = await world().visitor();
		const { tokens } = await world().watch(() => visitor.signInWith("gitlab", ada, "elm"));
		expect(await visitor.whereabouts()).toEqual({ email: ada.email, tenant: "Elm" });
		expect(tokens).toMatchObject([{ provider: "ownGitlab", clientId, clientSecret: canarySecret(clientId) }]);
		expect([await countOf("user", elm.id), await countOf("account", elm.id)]).toEqual([1, 1]);
	});

	it("sees the error page after denying consent, is not signed in, and can try again", async () => {
		const visitor = await world().visitor();
		const alan = { sub: "alan-1", email: "alan@example.com", name: "Alan" };
		const before = await countOf("user", birch.id);
		const { tokens } = await world().watch(async () => {
			await visitor.open("birch");
			await visitor.choose("gitlab");
			await visitor.identify(alan);
			await visitor.deny();
			expect(await visitor.error()).toBe("access_denied");
		});
		expect(new URL(visitor.page.url()).pathname).toBe("/failed");
		await visitor.photograph("consent-denied");
		expect(tokens).toEqual([]);
		expect(await countOf("user", birch.id)).toBe(before);
		expect(await visitor.call("/get-session")).toEqual({ status: 200, json: null });

		await visitor.open("birch");
		await visitor.choose("gitlab");
		await visitor.allow();
		expect(await visitor.whereabouts()).toEqual({ email: alan.email, tenant: "Birch" });
	});

	it("gets PROVIDER_NOT_FOUND if the tenant's config is disabled and there is no global provider", async () => {
		const dune = await world().newTenant("Dune");
		await world().registerClient(dune, "google");
		const visitor = await world().visitor();
		await visitor.open("dune");
		await world().registerClient(dune, "google", { enabled: false });
		await visitor.choose("google");
		expect(await visitor.error()).toBe("PROVIDER_NOT_FOUND");
		await visitor.photograph("provider-not-found");
		expect(await countOf("user", dune.id)).toBe(0);

		await visitor.open("dune");
		expect(await visitor.page.getByRole("button", { name: /^Continue with/ }).allInnerTexts()).toEqual([
			"Continue with GitLab",
			"Continue with Microsoft",
		]);
	});

	// threat 1
	it("has a password only in the tenant where it was set", async () => {
		const visitor = await world().visitor();
		const password = { "E-mail": "mary@example.com", Password: "correct horse battery" };
		await visitor.open("acme");
		await visitor.withPassword("Create account", { ...password, Name: "Mary" });
		expect(await visitor.whereabouts()).toEqual({ email: "mary@example.com", tenant: "Acme" });
		await visitor.signOut();
		for (const slug of ["birch", "cedar", undefined]) {
			await visitor.open(slug);
			await visitor.withPassword("Sign in", password);
			expect([slug, await visitor.error()]).toEqual([slug, "INVALID_EMAIL_OR_PASSWORD"]);
		}
		await visitor.open("acme");
		await visitor.withPassword("Sign in", password);
		expect(await visitor.whereabouts()).toEqual({ email: "mary@example.com", tenant: "Acme" });
	});
});

describe("two tabs of one browser", () => {
	it("sign in to two tenants one after the other: the browser has the later session", async () => {
		const [first, second] = await world().tabs();
		const kay = { sub: "kay-1", email: "kay@example.com", name: "Kay" };
		await first.signInWith("gitlab", kay, "acme");
		await second.open("birch");
		await second.choose("gitlab");
		await second.allow();
		expect(await second.whereabouts()).toEqual({ email: kay.email, tenant: "Birch" });
		await first.page.reload();
		expect(await first.whereabouts()).toEqual({ email: kay.email, tenant: "Birch" });

		await first.signOut();
		await second.page.reload();
		await second.page.getByText("You are not signed in").waitFor();
	});

	// threat 12
	it("start sign-ins to two tenants at once: the later one succeeds, the earlier one is refused", async () => {
		const [first, second] = await world().tabs();
		const lin = { sub: "lin-1", email: "lin@example.com", name: "Lin" };
		await first.open("acme");
		await first.choose("gitlab");
		await first.identify(lin);
		await second.open("birch");
		await second.choose("gitlab");
		await second.allow();
		expect(await second.whereabouts()).toEqual({ email: lin.email, tenant: "Birch" });

		// a browser has one flow cookie, and this is the engine's response to a stale one
		const { tokens } = await world().watch(async () => {
			await first.allow();
			expect(await first.error()).toBe("state_mismatch");
		});
		expect(tokens).toEqual([]);
		const users = await world().database.query(`select "tenantId" from "user" where email = $1`, [lin.email]);
		expect(users).toEqual([{ tenantId: birch.id }]);
		await second.page.reload();
		expect(await second.whereabouts()).toEqual({ email: lin.email, tenant: "Birch" });
	});
});
