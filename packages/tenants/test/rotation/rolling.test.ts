import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import { admin, bearer, jwt, magicLink, multiSession, twoFactor } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { cookieNamed, createRotation, ROLLS, type Rotation } from "./support/secrets.ts";

const scopes = ({ a, b }: Rotation): (string | undefined)[] => [a, b, undefined];

/** The same browser with its cached session in two cookies, as Better Auth splits a large one. */
const inParts = (browser: Browser): Browser => {
	const other = browser.copy();
	const name = cookieNamed(other, "session_data");
	const value = other.cookies.get(name) ?? "";
	other.cookies.delete(name);
	other.cookies.set(`${name}.1`, value.slice(100));
	other.cookies.set(`${name}.0`, value.slice(0, 100));
	return other;
};

// threat 97
describe.each(ROLLS)("while processes %s and %s run side by side", (left, right) => {
	const signers = [left, right];

	it("keeps everybody signed in, in tenants and on the platform", async () => {
		const rotation = await createRotation();
		for (const tenant of scopes(rotation)) {
			for (const signer of signers) {
				const email = `${signer}@example.com`;
				const browser = await rotation.at(signer).signUp(tenant, email);
				for (const step of [left, right, left, right, right, left])
					expect(await rotation.at(step).emailOf(browser), `${signer} on ${step}`).toBe(email);
				// without the cookies that get-session renewed
				const fresh = new Browser();
				await rotation.at(signer).signIn(tenant, email, fresh);
				for (const step of [left, right]) {
					const seen = await rotation.at(step).call("/list-sessions", { browser: fresh.copy() });
					expect(seen.status, `${signer} on ${step}`).toBe(200);
				}
				expect((await rotation.at(right).call("/sign-out", { browser: fresh, body: {} })).json).toEqual({
					success: true,
				});
				expect(await rotation.at(left).emailOf(fresh)).toBeNull();
			}
		}
	});

	it.each(["compact", "jwt", "jwe"] as const)("reads the cookie cache %s without a query", async (strategy) => {
		const rotation = await createRotation({
			engine: { session: { cookieCache: { enabled: true, maxAge: 300, strategy } } },
		});
		for (const tenant of scopes(rotation)) {
			for (const [signer, reader] of [
				[left, right],
				[right, left],
			] as const) {
				const browser = await rotation.at(signer).signUp(tenant, `${signer}@example.com`);
				const parts = inParts(browser);
				// a cached session outlives its row for a while, so this shows where the answer came from
				await rotation.database.query('delete from "session"');
				for (const sent of [browser, parts])
					expect(await rotation.at(reader).emailOf(sent), `${signer} on ${reader}`).toBe(`${signer}@example.com`);
			}
		}
	});

	it("accepts signed bearer tokens", async () => {
		const rotation = await createRotation({ plugins: () => [bearer({ requireSignature: true })] });
		for (const tenant of scopes(rotation)) {
			for (const signer of signers) {
				const email = `${signer}@example.com`;
				await rotation.at(signer).signUp(tenant, email);
				const signedIn = await rotation.at(signer).signIn(tenant, email, new Browser());
				const headers = { authorization: `Bearer ${signedIn.headers.get("set-auth-token")}` };
				for (const step of [left, right])
					expect((await rotation.at(step).call("/get-session", { headers })).json?.user.email).toBe(email);
			}
		}
	});

	it("accepts email links", async () => {
		const rotation = await createRotation();
		for (const tenant of scopes(rotation)) {
			for (const [sender, opener] of [
				[left, right],
				[right, left],
			] as const) {
				const email = `${sender}-${opener}@example.com`;
				const browser = await rotation.at(sender).signUp(tenant, email);
				await rotation.at(sender).call("/send-verification-email", { tenant, browser, body: { email } });
				const opened = await rotation.at(opener).call(rotation.lastMail("verify").url, { browser });
				expect(opened.location ?? opened.text).not.toContain("error");
				expect((await rotation.at(opener).call("/get-session", { browser })).json.user.emailVerified).toBe(true);
			}
		}
	});

	it("keeps the sessions of several users in one browser, and forgets a browser session when it closes", async () => {
		const rotation = await createRotation({ plugins: () => [multiSession()] });
		for (const tenant of scopes(rotation)) {
			const browser = await rotation.at(left).signUp(tenant, "first@example.com");
			await rotation.at(right).signUp(tenant, "second@example.com");
			await rotation.at(right).signIn(tenant, "second@example.com", browser, { rememberMe: false });
			for (const step of [left, right]) {
				const { json } = await rotation
					.at(step)
					.call("/multi-session/list-device-sessions", { browser: browser.copy() });
				expect(json.map(({ user }: { user: { email: string } }) => user.email).sort()).toEqual([
					"first@example.com",
					"second@example.com",
				]);
				const seen = await rotation.at(step).call("/get-session", { browser: browser.copy() });
				for (const cookie of seen.cookies.filter((line) => line.includes("session_token=")))
					expect(cookie).not.toMatch(/max-age/i);
			}
		}
	});

	it("completes a second factor, and remembers the trusted device", async () => {
		const rotation = await createRotation({ plugins: () => [twoFactor()] });
		for (const tenant of scopes(rotation)) {
			const email = "ada@example.com";
			const browser = await rotation.at(left).signUp(tenant, email);
			const enabled = await rotation.at(left).call("/two-factor/enable", { browser, body: { password: PASSWORD } });
			const secret = new URL(enabled.json.totpURI).searchParams.get("secret") ?? "";
			const code = async () => createOTP(new TextDecoder().decode(base32.decode(secret))).totp();
			expect(
				(await rotation.at(right).call("/two-factor/verify-totp", { browser, body: { code: await code() } })).status,
			).toBe(200);

			for (const [asks, answers] of [
				[left, right],
				[right, left],
			] as const) {
				const device = new Browser();
				expect((await rotation.at(asks).signIn(tenant, email, device)).json.twoFactorRedirect).toBe(true);
				// no tenant: its cookie names it
				const answered = await rotation
					.at(answers)
					.call("/two-factor/verify-totp", { browser: device, body: { code: await code(), trustDevice: true } });
				expect(answered.status, answered.text).toBe(200);
				// trusted by `answers`, so the other one must know
				for (const step of [asks, answers, asks]) {
					const again = await rotation.at(step).signIn(tenant, email, device);
					expect(again.json.twoFactorRedirect, `${answers} trusted, ${step} asked`).toBeUndefined();
				}
			}
		}
	});

	it("lets an admin end an impersonation", async () => {
		const rotation = await createRotation({ plugins: () => [admin()] });
		for (const tenant of scopes(rotation)) {
			const browser = await rotation.at(left).signUp(tenant, "admin@example.com");
			await rotation.database.query(`update "user" set "role" = 'admin' where "email" = 'admin@example.com'`);
			await rotation.at(left).signUp(tenant, "user@example.com");
			const [user] = await rotation.database.query(
				`select "id" from "user" where "email" = 'user@example.com' and "tenantId" = '${tenant ?? "platform"}'`,
			);
			const entered = await rotation.at(right).call("/admin/impersonate-user", { browser, body: { userId: user?.id } });
			expect(entered.status, entered.text).toBe(200);
			expect(await rotation.at(left).emailOf(browser)).toBe("user@example.com");
			expect((await rotation.at(left).call("/admin/stop-impersonating", { browser, body: {} })).status).toBe(200);
			expect(await rotation.at(right).emailOf(browser)).toBe("admin@example.com");
		}
	});

	it("signs tokens with stored keys, and verifies mailed sign-in links", async () => {
		const sent: string[] = [];
		const rotation = await createRotation({
			plugins: () => [jwt(), magicLink({ sendMagicLink: async ({ url }) => void sent.push(url) })],
		});
		for (const tenant of scopes(rotation)) {
			const browser = await rotation.at(left).signUp(tenant, "ada@example.com");
			for (const step of [left, right])
				expect((await rotation.at(step).call("/token", { browser: browser.copy() })).status).toBe(200);
			await rotation.at(left).call("/sign-in/magic-link", { tenant, body: { email: "ada@example.com" } });
			const device = new Browser();
			await rotation.at(right).call(sent.at(-1) ?? "", { browser: device });
			expect(await rotation.at(left).emailOf(device)).toBe("ada@example.com");
		}
	});
});
