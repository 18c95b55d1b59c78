import { hkdfSync } from "node:crypto";
import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { symmetricDecrypt, symmetricEncodeJWT, symmetricEncrypt } from "better-auth/crypto";
import { bearer, oAuthProxy, twoFactor } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { tenantAuth } from "../../src/index.ts";
import { deriveTenantSecret } from "../../src/scope/secrets/secrets.ts";
import { cookieNamed, createRotation, NEW, OLD, type Rotation } from "./support/secrets.ts";

const SECRETS = [
	{ version: 2, value: NEW },
	{ version: 1, value: OLD },
];

/** The process of the procedure after a leak: the old secret only decrypts what is stored. */
const openStrict = (rotation: Rotation) => rotation.open(SECRETS, { verifyWithAllSecrets: false });

const versionOf = (secret: string): number => (secret === OLD ? 1 : 2);

/** Encrypts a value as Better Auth does for one purpose of OAuth, with a secret that the attacker knows. */
const sealFor = async (purpose: string, secret: string, tenant: string | undefined, value: unknown) => {
	const own = tenant ? await deriveTenantSecret(secret, tenant) : secret;
	const salt = "better-auth:oauth-encryption:v1";
	const key = Buffer.from(hkdfSync("sha256", own, salt, `better-auth:${purpose}:v1`, 32)).toString("hex");
	const keys = new Map([[versionOf(secret), key]]);
	return symmetricEncrypt({ key: { keys, currentVersion: versionOf(secret) }, data: JSON.stringify(value) });
};

const socialProviders = { gitlab: { clientId: "client", clientSecret: "secret" } };

describe("with a leaked secret that only decrypts, Better Auth accepts no forged", () => {
	// threat 98
	it("cached session of an owner, encrypted in a cookie", async () => {
		const rotation = await createRotation({
			plugins: () => [bearer()],
			engine: { session: { cookieCache: { enabled: true, maxAge: 300, strategy: "jwe" } } },
		});
		const strict = openStrict(rotation);
		for (const tenant of [rotation.a, rotation.b, undefined]) {
			await strict.signUp(tenant, "owner@example.com");
			const mallory = await strict.signUp(tenant, "mallory@example.com");
			const own = (await strict.call("/get-session", { browser: mallory })).json;
			const [owner] = await rotation.database.query(
				`select "id" from "user" where "email" = 'owner@example.com' and "tenantId" = '${tenant ?? "platform"}'`,
			);
			const forged = async (secret: string): Promise<Browser> => {
				const session = { ...own.session, userId: owner?.id };
				const user = { ...own.user, id: owner?.id, email: "owner@example.com" };
				const key = tenant ? await deriveTenantSecret(secret, tenant) : secret;
				const cached = { session, user, updatedAt: Date.now(), version: "1" };
				const value = await symmetricEncodeJWT(cached, key, "better-auth-session", 300);
				const browser = mallory.copy();
				browser.cookies.set(cookieNamed(browser, "session_data"), value);
				return browser;
			};
			// whoever knows the new secret can forge, so the forgery is well formed
			expect(await strict.emailOf(await forged(NEW))).toBe("owner@example.com");
			expect(await strict.emailOf(await forged(OLD))).toBe("mallory@example.com");
			const { json } = await strict.call("/list-sessions", { browser: await forged(OLD) });
			expect(json.map((session: { userId: string }) => session.userId)).toEqual([own.user.id]);
			// the own cache still opens without its row
			await rotation.database.query('delete from "session"');
			expect(await strict.emailOf(mallory)).toBe("mallory@example.com");
		}
	});

	// threat 98
	it("profile of the OAuth proxy", async () => {
		const productionURL = "https://production.example.com";
		const rotation = await createRotation({
			plugins: () => [oAuthProxy({ productionURL })],
			engine: { socialProviders },
		});
		const strict = openStrict(rotation);
		for (const tenant of [rotation.a, undefined]) {
			await strict.signUp(tenant, "owner@example.com");
			await rotation.database.query('update "user" set "emailVerified" = 1');
			const signedIn = async (secret: string): Promise<string | null> => {
				const browser = new Browser();
				const headers = { "x-skip-oauth-proxy": "1" };
				const body = { provider: "gitlab", callbackURL: "/" };
				const started = await strict.call("/sign-in/social", { browser, tenant, headers, body });
				const account = { providerId: "gitlab", accountId: `account-${tenant}` };
				const profile = await sealFor("oauth-proxy-profile", secret, tenant, {
					userInfo: { id: account.accountId, email: "owner@example.com", name: "Mallory", emailVerified: true },
					account,
					state: new URL(started.json.url).searchParams.get("state")?.split("~")[0],
					callbackURL: "/",
					timestamp: Date.now(),
				});
				await strict.call("/callback/gitlab/oauth-proxy", { browser, tenant, query: { callbackURL: "/", profile } });
				return strict.emailOf(browser, { tenant });
			};
			expect(await signedIn(OLD)).toBeNull();
			expect(await signedIn(NEW)).toBe("owner@example.com");
		}
	});

	// threat 98
	it("OAuth state in a cookie", async () => {
		const rotation = await createRotation({
			engine: { socialProviders, account: { storeStateStrategy: "cookie" } },
		});
		const strict = openStrict(rotation);
		const browser = new Browser();
		const body = { provider: "gitlab", callbackURL: "/", errorCallbackURL: "/own-error" };
		const started = await strict.call("/sign-in/social", { browser, body });
		const state = new URL(started.json.url).searchParams.get("state") ?? "";
		const name = cookieNamed(browser, "oauth_state");
		const keys = (secret: string) => {
			const salt = "better-auth:oauth-encryption:v1";
			const info = "better-auth:oauth-state-cookie:v1";
			const key = Buffer.from(hkdfSync("sha256", secret, salt, info, 32)).toString("hex");
			return { keys: new Map([[versionOf(secret), key]]), currentVersion: versionOf(secret) };
		};
		const sent = decodeURIComponent(browser.cookies.get(name) ?? "");
		const data: unknown = JSON.parse(await symmetricDecrypt({ key: keys(NEW), data: sent }));
		const endsAt = async (secret: string): Promise<string | null> => {
			const forged = browser.copy();
			forged.cookies.set(name, encodeURIComponent(await sealFor("oauth-state-cookie", secret, undefined, data)));
			const query = { state, error: "access_denied" };
			return (await strict.call("/callback/gitlab", { browser: forged, query })).location;
		};
		// the error URL stands in the state, so it shows whether the state was opened
		expect(await endsAt(NEW)).toContain("/own-error");
		expect(await endsAt(OLD)).not.toContain("/own-error");
		// in a tenant, a state is never read from a cookie
		const inTenant = new Browser();
		await strict.call("/sign-in/social", { browser: inTenant, tenant: rotation.a, body });
		expect([...inTenant.cookies.keys()].filter((key) => key.includes("oauth_state"))).toEqual([]);
	});
});

// threat 98
it("accepts the bare token of a copied database until its session is ended", async () => {
	const rotation = await createRotation({ plugins: () => [bearer()] });
	for (const tenant of [rotation.a, rotation.b]) await rotation.at("before").signUp(tenant, "ada@example.com");
	const strict = openStrict(rotation);
	const copied = await rotation.database.query('select "token", "tenantId" from "session" order by "createdAt"');
	const seen = async () =>
		Promise.all(
			copied.map(async ({ token }) => {
				const { json } = await strict.call("/get-session", { headers: { authorization: `Bearer ${token}` } });
				return json?.session.tenantId ?? null;
			}),
		);
	// rotation.md says so, and what to do
	expect(await seen()).toEqual([rotation.a, rotation.b]);
	await rotation.database.query('delete from "session"');
	expect(await seen()).toEqual([null, null]);
});

const features = {
	'strategy: "jwe"': { session: { cookieCache: { enabled: true, strategy: "jwe" } } },
	storeAccountCookie: { account: { storeAccountCookie: true } },
	'storeStateStrategy: "cookie"': { account: { storeStateStrategy: "cookie" } },
} satisfies Record<string, Partial<BetterAuthOptions>>;

// threat 98
it.each(Object.entries(features))(
	"refuses to start with %s and an older secret without a version",
	async (name, engine) => {
		const rotation = await createRotation({ engine });
		const start = async (more: Partial<BetterAuthOptions>, verifyWithAllSecrets: boolean) => {
			const plugins = [tenantAuth({ verifyWithAllSecrets })];
			const { $context } = betterAuth({ ...rotation.options, secrets: SECRETS, secret: OLD, ...more, plugins });
			return $context.then(
				() => "started",
				(error: Error) => error.message,
			);
		};
		expect(await start(engine, false)).toContain(name);
		expect(await start(engine, false)).toMatch(/Unset it after `reencryptSecrets`/);
		expect(await start({ ...engine, secret: NEW }, false)).toBe("started");
		expect(await start(engine, true)).toBe("started");
		expect(await start({ session: {}, account: {} }, false)).toBe("started");
	},
);

// threat 98
it("refuses to start with the OAuth proxy and an older secret without a version", async () => {
	const rotation = await createRotation();
	const start = async (secret: string) => {
		const plugins = [tenantAuth({ verifyWithAllSecrets: false }), oAuthProxy()];
		return betterAuth({ ...rotation.options, secrets: SECRETS, secret, plugins }).$context.then(
			() => "started",
			(error: Error) => error.message,
		);
	};
	expect(await start(OLD)).toContain("the plugin oAuthProxy()");
	expect(await start(NEW)).toBe("started");
});

// threat 98
it("opens stored second factors and credentials of a leaked secret until they are encrypted again", async () => {
	const rotation = await createRotation({ plugins: () => [twoFactor()] });
	const [before, strict] = [rotation.at("before"), openStrict(rotation)];
	for (const tenant of [rotation.a, rotation.b, undefined]) {
		const browser = await before.signUp(tenant, "ada@example.com");
		const { json } = await before.call("/two-factor/enable", { browser, body: { password: PASSWORD } });
		const secret = new URL(json.totpURI).searchParams.get("secret") ?? "";
		const code = () => createOTP(new TextDecoder().decode(base32.decode(secret))).totp();
		await before.call("/two-factor/verify-totp", { browser, body: { code: await code() } });
		for (const [path, sent] of [
			["/two-factor/verify-totp", await code()],
			["/two-factor/verify-backup-code", json.backupCodes[0]],
		] as const) {
			const device = new Browser();
			expect((await strict.signIn(tenant, "ada@example.com", device)).json.twoFactorRedirect).toBe(true);
			const answered = await strict.call(path, { browser: device, body: { code: sent } });
			expect(answered.status, answered.text).toBe(200);
		}
	}
	for (const tenantId of [rotation.a, rotation.b]) {
		const credentials = { providerId: "gitlab", clientId: `client-of-${tenantId}`, clientSecret: "secret" };
		await before.auth.api.registerTenantOauthConfig({ body: { tenantId, ...credentials } });
		expect(await strict.auth.api.listTenantOauthConfigs({ query: { tenantId } })).toMatchObject([
			{ readable: true, clientId: credentials.clientId },
		]);
	}
});
