import { randomBytes } from "node:crypto";
import { bearer } from "better-auth/plugins/bearer";
import { emailOTP } from "better-auth/plugins/email-otp";
import { twoFactor } from "better-auth/plugins/two-factor";
import { Browser } from "test-kit/browser";
import { createWorld, MANAGEMENT_KEY, PASSWORD, type WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { withTenants } from "../../src/index.ts";

const ada = { email: "ada@example.com", password: PASSWORD };
const flipped = (id: string) =>
	id.replace(/[a-zA-Z]/, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));

const spellings: [string, WorldOptions, (id: string) => string[]][] = [
	[
		"MariaDB, whose comparison ignores case",
		{ database: "mysql" },
		(id) => [flipped(id), id.toUpperCase(), id.toLowerCase()],
	],
	[
		"PostgreSQL with uuids",
		{ database: "postgres", engine: { advanced: { disableOriginCheck: false, database: { generateId: "uuid" } } } },
		(id) => [id.toUpperCase(), id.replaceAll("-", ""), "abc"],
	],
	[
		"PostgreSQL with serial ids",
		{ database: "postgres", engine: { advanced: { disableOriginCheck: false, database: { generateId: "serial" } } } },
		(id) => [`0${id}`, `${id}e0`, "0x1", "abc", "9".repeat(40)],
	],
];

describe.each(spellings)("a tenant id on %s", (_name, options, variantsOf) => {
	it("has one spelling: any other names no tenant", async () => {
		const world = await createWorld(options);
		const id = String(await world.newTenant());
		await world.signUp(id, ada.email);
		for (const variant of variantsOf(id).filter((spelling) => spelling !== id)) {
			const signIn = await world.call("/sign-in/email", { tenant: variant, body: ada });
			expect([variant, signIn.status, signIn.code]).toEqual([variant, 404, "TENANT_NOT_FOUND"]);
			const register = { tenantId: variant, providerId: "github", clientId: "c", clientSecret: "s" };
			expect((await world.call("/tenant/oauth-config/register", { operator: true, body: register })).status).toBe(404);
			expect((await world.call("/tenant/get", { operator: true, query: { id: variant } })).status).toBe(404);
			expect((await world.call("/tenant/delete", { operator: true, body: { tenantId: variant } })).status).toBe(404);
			const cookie = new Browser();
			cookie.cookies.set("better-auth.session_token", `abc~${btoa(variant).replace(/=+$/, "")}.sig`);
			expect((await world.call("/get-session", { browser: cookie })).json).toBeNull();
		}
		expect((await world.call("/sign-in/email", { tenant: id, body: ada })).json.user.tenantId).toBe(id);
	});
});

describe("unusual ids and credentials", () => {
	it("keep verifications working if the application's ids have 43 characters", async () => {
		const generateId = () => randomBytes(32).toString("base64url");
		const world = await createWorld({ engine: { advanced: { disableOriginCheck: false, database: { generateId } } } });
		for (const tenant of [await world.newTenant(), undefined]) {
			await world.signUp(tenant, ada.email);
			await world.call("/request-password-reset", { tenant, body: { email: ada.email, redirectTo: "/reset" } });
			const { token } = world.lastMail("reset");
			expect((await world.call("/reset-password", { body: { token, newPassword: "another password" } })).status).toBe(
				200,
			);
		}
	});

	it("keep a tenant's user signed in if a proxy adds its own bearer token", async () => {
		const world = await createWorld({ plugins: [bearer()] });
		const tenant = await world.newTenant();
		const browser = await world.signUp(tenant, ada.email);
		// a token without dots replaces the cookie in the bare engine, too
		const seen = await world.call("/get-session", { browser, headers: { authorization: "Bearer aaa.bbb.ccc" } });
		expect(seen.json.session.tenantId).toBe(tenant);
	});

	// threats 2 and 65
	it("let a signed-in user of one tenant start a one-time-password sign-in in another", async () => {
		const sent: string[] = [];
		const world = await createWorld({
			plugins: [emailOTP({ sendVerificationOTP: async ({ otp }) => void sent.push(otp) })],
		});
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		await world.signUp(b, ada.email);
		const browser = await world.signUp(a, "grace@example.com");
		expect(
			(
				await world.call("/email-otp/send-verification-otp", {
					browser,
					tenant: b,
					body: { email: ada.email, type: "sign-in" },
				})
			).status,
		).toBe(200);
		// rejects b's code in a
		expect(
			(await world.call("/sign-in/email-otp", { tenant: a, body: { email: ada.email, otp: sent[0] } })).status,
		).toBe(400);
		expect(
			(await world.call("/sign-in/email-otp", { browser, tenant: b, body: { email: ada.email, otp: sent[0] } })).status,
		).toBe(200);
		expect((await world.call("/get-session", { browser })).json.session.tenantId).toBe(b);
	});

	it("forget a challenge of a tenant after a sign-in to the platform", async () => {
		const codes: string[] = [];
		const world = await createWorld({
			allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] } }, [
				twoFactor({ otpOptions: { sendOTP: async ({ otp }) => void codes.push(otp) } }),
			]),
		});
		const tenant = await world.newTenant();
		for (const place of [tenant, undefined]) {
			await world.call("/two-factor/enable", {
				browser: await world.signUp(place, ada.email),
				body: { password: PASSWORD },
			});
		}
		await world.database.query('update "user" set "twoFactorEnabled" = 1');
		const browser = new Browser();
		await world.call("/sign-in/email", { browser, tenant, body: ada });
		await world.call("/sign-in/email", { browser, body: ada });
		expect((await world.call("/two-factor/send-otp", { browser, body: {} })).status).toBe(200);
		expect((await world.call("/two-factor/verify-otp", { browser, body: { code: codes.at(-1) } })).status).toBe(200);
		expect((await world.call("/get-session", { browser })).json.session.tenantId).toBe("platform");
	});
});
