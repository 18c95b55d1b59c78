import { createAuthEndpoint } from "@better-auth/core/api";
import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import { makeSignature } from "better-auth/crypto";
import { admin, bearer, multiSession, twoFactor } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { importSigningKey, signTrustedDeviceAgain } from "../../src/engine/re-sign.ts";
import { withTag } from "../../src/scope/pin/tag.ts";
import { cookieNamed, createRotation, NEW, OLD, type Rotation } from "./support/secrets.ts";

/** All cookies of one browser with the tenants' tags exchanged. */
const retagged = (browser: Browser, from: string | undefined, to: string | undefined): Browser => {
	const tag = (tenant: string | undefined) => (tenant ? withTag("", tenant) : "");
	const other = new Browser();
	for (const [name, value] of browser.cookies) {
		const changed = from
			? decodeURIComponent(value).replaceAll(tag(from), tag(to))
			: decodeURIComponent(value).replace(".", `${tag(to)}.`);
		other.cookies.set(name, encodeURIComponent(changed));
	}
	return other;
};

/** A user with the same address in both tenants and on the platform, signed in before the rotation. */
const signedInEverywhere = async (rotation: Rotation) => ({
	a: await rotation.at("before").signUp(rotation.a, "ada@example.com"),
	b: await rotation.at("before").signUp(rotation.b, "ada@example.com"),
	platform: await rotation.at("before").signUp(undefined, "ada@example.com"),
});

const strategies = ["compact", "jwt", "jwe"] as const;

describe("what an older secret signed", () => {
	// threat 98
	it.each(strategies)("never opens in another scope, with the cookie cache %s", async (strategy) => {
		const rotation = await createRotation({
			plugins: () => [multiSession(), admin(), bearer()],
			engine: { session: { cookieCache: { enabled: true, maxAge: 300, strategy } } },
		});
		const { a, b } = rotation;
		const browsers = await signedInEverywhere(rotation);
		const rotated = rotation.at("first");
		for (const [from, to, browser] of [
			[a, b, browsers.a],
			[b, a, browsers.b],
			[undefined, a, browsers.platform],
			[a, undefined, browsers.a],
		] as const) {
			for (const attack of [browser.copy(), retagged(browser, from, to)]) {
				const seen = to ? await rotated.call("/get-session", { browser: attack.copy(), tenant: to }) : null;
				expect(seen?.json ?? null).toBeNull();
				if (attack.header() === browser.header()) continue;
				expect(await rotated.emailOf(attack.copy())).toBeNull();
				const { json } = await rotated.call("/multi-session/list-device-sessions", {
					browser: attack.copy(),
					tenant: to,
				});
				expect(json === null || Array.isArray(json) ? (json ?? []) : []).toEqual([]);
				const ended = await rotated.call("/admin/stop-impersonating", { browser: attack.copy(), body: {} });
				expect(ended.status).toBeGreaterThanOrEqual(400);
				const token = decodeURIComponent(attack.cookies.get(cookieNamed(attack, "session_token")) ?? "");
				const headers = { authorization: `Bearer ${token}` };
				expect((await rotated.call("/get-session", { headers })).json).toBeNull();
			}
		}
		// the session of one tenant with the cached session of another
		const mixed = browsers.a.copy();
		for (const [name, value] of browsers.b.cookies) if (name.includes("session_data")) mixed.cookies.set(name, value);
		expect((await rotated.call("/get-session", { browser: mixed })).json?.session.tenantId).toBe(a);
	});

	// threat 98
	it.each(strategies)("is refused when it was changed or is not signed, with the cookie cache %s", async (strategy) => {
		const rotation = await createRotation({
			engine: { session: { cookieCache: { enabled: true, maxAge: 300, strategy } } },
		});
		for (const tenant of [rotation.a, undefined]) {
			const browser = await rotation.at("before").signUp(tenant, "ada@example.com");
			const name = cookieNamed(browser, "session_token");
			const signed = decodeURIComponent(browser.cookies.get(name) ?? "");
			const [value = "", signature = ""] = [
				signed.slice(0, signed.lastIndexOf(".")),
				signed.slice(signed.lastIndexOf(".") + 1),
			];
			const other = signature.startsWith("A") ? "B" : "A";
			for (const changed of [
				value,
				`${value}.`,
				`${value}.${"A".repeat(43)}=`,
				`${value}.${other}${signature.slice(1)}`,
				`${value}.${signature.slice(0, -1)}`,
				`${value}.${signature}=`,
				`x${value}.${signature}`,
				`${value}x.${signature}`,
				`.${signature}`,
				`${value}.${signature}.${signature}`,
				`${value}\u0000.${signature}`,
			]) {
				const attack = browser.copy();
				attack.cookies.set(name, encodeURIComponent(changed));
				const seen = await rotation.at("first").call("/get-session", { browser: attack });
				expect(seen.text, JSON.stringify(changed)).toBe("null");
				expect(seen.cookies.some((cookie) => /session_token=[^;]/.test(cookie))).toBe(false);
			}
			// a changed cache falls back to the row
			const cached = browser.copy();
			const cache = cookieNamed(cached, "session_data");
			const data = cached.cookies.get(cache) ?? "";
			for (const changed of [`${data.slice(0, -4)}AAAA`, data.slice(0, -1), `${data}A`, "e30", ""]) {
				cached.cookies.set(cache, changed);
				expect(await rotation.at("first").emailOf(cached.copy())).toBe("ada@example.com");
			}
			await rotation.database.query('delete from "session"');
			cached.cookies.set(cache, `${data.slice(0, -4)}AAAA`);
			expect(await rotation.at("first").emailOf(cached.copy())).toBeNull();
		}
	});

	// threat 98
	it("is refused after its secret was removed: cookies, caches, bearer tokens and email links", async () => {
		const rotation = await createRotation({
			plugins: () => [bearer()],
			engine: { session: { cookieCache: { enabled: true, maxAge: 300 } } },
		});
		for (const tenant of [rotation.a, rotation.b, undefined]) {
			const browser = await rotation.at("before").signUp(tenant, "ada@example.com");
			const token = decodeURIComponent(browser.cookies.get(cookieNamed(browser, "session_token")) ?? "");
			await rotation
				.at("before")
				.call("/send-verification-email", { tenant, browser, body: { email: "ada@example.com" } });
			const removed = rotation.at("removed");
			expect(await removed.emailOf(browser.copy())).toBeNull();
			const headers = { authorization: `Bearer ${token}` };
			expect((await removed.call("/get-session", { headers })).json).toBeNull();
			const opened = await removed.call(rotation.lastMail("verify").url);
			expect(opened.location ?? opened.text).toMatch(/invalid_token|INVALID_TOKEN/i);
			const [row] = await rotation.database.query('select max("emailVerified") as "verified" from "user"');
			expect(Number(row?.verified)).toBe(0);
		}
	});

	// threat 98
	it("is refused while the secret is kept for decryption only", async () => {
		const rotation = await createRotation();
		const strict = rotation.open(
			[
				{ version: 2, value: NEW },
				{ version: 1, value: OLD },
			],
			{ verifyWithAllSecrets: false },
		);
		for (const tenant of [rotation.a, undefined]) {
			const browser = await rotation.at("before").signUp(tenant, "ada@example.com");
			expect(await rotation.at("first").emailOf(browser.copy())).toBe("ada@example.com");
			expect(await strict.emailOf(browser.copy())).toBeNull();
		}
	});

	// threat 98
	it("verifies an email only in its own tenant", async () => {
		const rotation = await createRotation();
		const { a, b } = rotation;
		const browser = await rotation.at("before").signUp(a, "ada@example.com");
		for (const tenant of [b, undefined]) await rotation.at("before").signUp(tenant, "ada@example.com");
		// the process has used the first tenant's secrets before
		expect(await rotation.at("first").emailOf(browser)).toBe("ada@example.com");
		await rotation.at("before").call("/send-verification-email", { tenant: a, body: { email: "ada@example.com" } });
		const url = new URL(rotation.lastMail("verify").url);
		const token = (url.searchParams.get("token") ?? "").split("~")[0] ?? "";
		for (const [tenant, sent] of [
			[b, withTag(token, b)],
			[b, token],
			[undefined, token],
		] as const) {
			const opened = await rotation.at("first").call("/verify-email", { tenant, query: { token: sent } });
			expect(opened.status).toBe(401);
		}
		const verified = async () =>
			(await rotation.database.query('select "tenantId" from "user" where "emailVerified" = 1')).map(
				(row) => row.tenantId,
			);
		expect(await verified()).toEqual([]);
		// without its tag, if the request names the tenant
		await rotation.at("first").call("/verify-email", { tenant: a, query: { token } });
		expect(await verified()).toEqual([a]);
	});

	// threat 98
	it("uses a link only with its own tag, even if its token is the other tenant's", async () => {
		const rotation = await createRotation();
		const { a, b } = rotation;
		for (const tenant of [a, b]) await rotation.at("before").signUp(tenant, "ada@example.com");
		await rotation.at("before").call("/send-verification-email", { tenant: b, body: { email: "ada@example.com" } });
		const token = (new URL(rotation.lastMail("verify").url).searchParams.get("token") ?? "").split("~")[0] ?? "";
		const opened = await rotation.at("first").call("/verify-email", { tenant: b, query: { token: withTag(token, a) } });
		expect(opened.status).toBe(401);
		expect(await rotation.database.query('select "id" from "user" where "emailVerified" = 1')).toEqual([]);
	});

	// threat 98
	it("does not repair the inner signature of a trusted device", async () => {
		const keys = { current: await importSigningKey(NEW), others: [await importSigningKey(OLD)] };
		const inner = async (text: string, secret: string) =>
			Buffer.from(await makeSignature(text, secret), "base64").toString("base64url");
		const identifier = "trust-device-0123456789abcdefABCDEF_-01234567";
		const signedBy = async (secret: string, userId: string): Promise<string> => {
			const value = `${await inner(`${userId}!${identifier}`, secret)}!${identifier}`;
			return `${value}.${await makeSignature(value, secret)}`;
		};
		const again = (signed: string) => signTrustedDeviceAgain(keys, signed, async () => "ada");
		expect(await again(await signedBy(OLD, "ada"))).toBe(await signedBy(NEW, "ada"));
		// the outer signature is right, and the inner one is another user's
		const other = await signedBy(OLD, "eve");
		const changed = await again(other);
		expect(changed).not.toBe(await signedBy(NEW, "ada"));
		expect(changed?.split("!")[0]).toBe(other.split("!")[0]);
		expect(await again(await signedBy(NEW, "ada"))).toBeNull();
		expect(await again(await signedBy("neither of the two secrets of this test", "ada"))).toBeNull();
	});

	// threat 98
	it("trusts a device for its own user in its own tenant only", async () => {
		const rotation = await createRotation({ plugins: () => [twoFactor()] });
		const { a, b } = rotation;
		const old = rotation.at("before");
		const trusted = new Map<string, Browser>();
		for (const [tenant, email] of [
			[a, "ada@example.com"],
			[a, "eve@example.com"],
			[b, "ada@example.com"],
		] as const) {
			const browser = await old.signUp(tenant, email);
			const { json } = await old.call("/two-factor/enable", { browser, body: { password: PASSWORD } });
			const secret = new URL(json.totpURI).searchParams.get("secret") ?? "";
			const code = () => createOTP(new TextDecoder().decode(base32.decode(secret))).totp();
			await old.call("/two-factor/verify-totp", { browser, body: { code: await code() } });
			const device = new Browser();
			await old.signIn(tenant, email, device);
			await old.call("/two-factor/verify-totp", { browser: device, body: { code: await code(), trustDevice: true } });
			trusted.set(`${tenant} ${email}`, device);
		}
		const deviceOf = (tenant: string, email: string): Browser => {
			const only = new Browser();
			const device = trusted.get(`${tenant} ${email}`) ?? new Browser();
			const name = cookieNamed(device, "trust_device");
			only.cookies.set(name, device.cookies.get(name) ?? "");
			return only;
		};
		const asks = async (tenant: string, email: string, device: Browser): Promise<boolean> =>
			(await rotation.at("first").signIn(tenant, email, device)).json.twoFactorRedirect === true;
		expect(await asks(a, "ada@example.com", deviceOf(a, "eve@example.com"))).toBe(true);
		expect(await asks(b, "ada@example.com", deviceOf(a, "ada@example.com"))).toBe(true);
		expect(await asks(a, "ada@example.com", deviceOf(b, "ada@example.com"))).toBe(true);
		expect(await asks(a, "ada@example.com", deviceOf(a, "ada@example.com"))).toBe(false);
	});

	// threat 98
	it("is signed again only in Better Auth's own cookies, and never in the caller's request", async () => {
		const read = {
			id: "read",
			endpoints: {
				read: createAuthEndpoint("/read", { method: "GET" }, async (ctx) =>
					ctx.json({ cookie: ctx.headers?.get("cookie"), sent: ctx.request?.headers.get("cookie") }),
				),
			},
		};
		const rotation = await createRotation({ plugins: () => [read] });
		const browser = await rotation.at("before").signUp(rotation.a, "ada@example.com");
		const name = cookieNamed(browser, "session_token");
		const signed = browser.cookies.get(name) ?? "";
		const header = `application=${signed}; theme="dark" ; ${name}=${signed}; ${name}=${signed}; last`;
		const { json } = await rotation.at("first").call("/read", { headers: { cookie: header } });
		expect(json.sent).toBe(header);
		expect(json.cookie).not.toBe(header);
		expect(json.cookie.startsWith(`application=${signed}; theme="dark" ; ${name}=`)).toBe(true);
		// a second cookie of the name is not read, so it stays as it is
		expect(json.cookie.endsWith(`; ${name}=${signed}; last`)).toBe(true);
	});
});
