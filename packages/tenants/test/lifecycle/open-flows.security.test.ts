import { sso } from "@better-auth/sso";
import { anonymous, emailOTP, magicLink } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import { globalProviders, registerClient, startSocial, useIdentityProvider } from "test-kit/social";
import type { Answer } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { callbackOf } from "../sso/support/sso-world.ts";
import { type LifecycleWorld, lifecycleWorld } from "./support/lifecycle-world.ts";

const EMAIL = "ada@example.com";
const stores = [
	["sqlite", { database: "sqlite" }],
	["postgres", { database: "postgres" }],
	["postgres with Redis", { database: "postgres", redis: true }],
] as const;

const isSignedIn = ({ cookies }: Browser): boolean => Boolean(cookies.get("better-auth.session_token"));

describe.each(stores)("a sign-in that is under way when its tenant is suspended, on %s", (_, where) => {
	const idp = useIdentityProvider();

	const start = async () => {
		const sent: string[] = [];
		const world = await lifecycleWorld(
			[
				anonymous(),
				magicLink({ sendMagicLink: async ({ token }) => void sent.push(token) }),
				emailOTP({ sendVerificationOTP: async ({ otp }) => void sent.push(otp) }),
				sso(),
			],
			{
				...where,
				engine: {
					trustedOrigins: [idp().gitlab.issuer],
					socialProviders: { gitlab: globalProviders(idp()).gitlab },
				},
			},
		);
		for (const tenant of [world.a, world.b]) {
			await world.signUp(tenant, EMAIL);
			const [clientId, clientSecret] = [`sso-${tenant}`, canarySecret(`sso-${tenant}`)];
			idp().addClient({ clientId, clientSecret, redirectURIs: [callbackOf(tenant)] });
			const body = {
				providerId: "okta",
				issuer: idp().gitlab.issuer,
				domain: "corp.example",
				oidcConfig: { clientId, clientSecret, pkce: true },
			};
			expect((await world.call("/sso/register", { tenant, operator: true, body })).status).toBe(200);
		}
		await world.database.query('update "user" set "emailVerified" = true');
		// the second tenant's own client, so that both kinds of callbacks are tried
		await registerClient(world, idp(), world.b, `client-${world.b}`);
		return { world, begin: (tenant: string, round: string) => beginAll(world, sent, tenant, round) };
	};

	/** One sign-in by each way, up to its last request. */
	const beginAll = async (world: LifecycleWorld, sent: string[], tenant: string, round: string) => {
		const { call } = world;
		const social = await startSocial(world, idp(), tenant, {
			sub: `s-${tenant}-${round}`,
			email: `s-${round}@example.com`,
			name: "Ada",
		});
		const bySso = new Browser();
		const body = { providerId: "okta", callbackURL: "/home" };
		const started = await call("/sign-in/sso", { tenant, browser: bySso, body });
		const person = { sub: `o-${tenant}-${round}`, email: `o-${round}@corp.example`, name: "Ada" };
		const back = await idp().authorize(String(started.json.url), person);
		await call("/sign-in/magic-link", { tenant, body: { email: EMAIL } });
		const magic = sent.at(-1) ?? "";
		await call("/email-otp/send-verification-otp", { tenant, body: { email: EMAIL, type: "sign-in" } });
		const otp = sent.at(-1);
		const finish = (browser: Browser, run: () => Promise<Answer>) => async () => {
			const { status, code, location } = await run();
			return { status, code, location, isSignedIn: isSignedIn(browser) };
		};
		const [byLink, byCode] = [new Browser(), new Browser()];
		return {
			social: finish(social.browser, () => call(social.callback, { browser: social.browser })),
			SSO: finish(bySso, () => call(back, { browser: bySso })),
			"magic link": finish(byLink, () => call("/magic-link/verify", { browser: byLink, query: { token: magic } })),
			"one-time password": finish(byCode, () =>
				call("/sign-in/email-otp", { tenant, browser: byCode, body: { email: EMAIL, otp } }),
			),
		};
	};

	const WAYS = ["social", "SSO", "magic link", "one-time password"];

	// threats 107, 108
	it("ends nowhere while it is closed, and nowhere after a restore that ends sessions", async () => {
		const { world, begin } = await start();
		const { a, b } = world;
		const during = await begin(a, "during");
		const after = await begin(a, "after");
		const theirs = await begin(b, "theirs");
		const users = async () => (await world.database.query(`select "id" from "user" where "tenantId" = '${a}'`)).length;
		const before = await users();
		await world.suspend(a);
		for (const [way, finish] of Object.entries(during)) {
			const outcome = await finish();
			expect([way, outcome.status, outcome.code, outcome.isSignedIn]).toEqual([way, 403, "TENANT_SUSPENDED", false]);
		}
		expect((await world.restore(a, { endSessions: true })).status).toBe(200);
		for (const flows of [during, after])
			for (const [way, finish] of Object.entries(flows))
				expect([way, (await finish()).isSignedIn]).toEqual([way, false]);
		expect(await users()).toBe(before);
		// the neighbor's flows all end well, so none of them fails for another reason
		const done: string[] = [];
		for (const [way, finish] of Object.entries(theirs)) if ((await finish()).isSignedIn) done.push(way);
		expect(done).toEqual(WAYS);
		// and so do new ones of the restored tenant
		const again: string[] = [];
		for (const [way, finish] of Object.entries(await begin(a, "again")))
			if ((await finish()).isSignedIn) again.push(way);
		expect(again).toEqual(WAYS);
	});
});
