import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import { twoFactor } from "better-auth/plugins/two-factor";
import { Browser } from "test-kit/browser";
import { createWorld, MANAGEMENT_KEY, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { withTenants } from "../../src/index.ts";

const EMAIL = "ada@example.com";
const PLACES = ["a", "b", "platform"] as const;
const PASSWORDS = { a: "password of a", b: "password of b", platform: "password of the platform" };

/** One email in two tenants and on the platform, with three passwords. */
const createNamesakes = async (world: World) => {
	const tenants = { a: await world.newTenant("acme"), b: await world.newTenant("globex"), platform: undefined };
	const browsers = {
		a: await world.signUp(tenants.a, EMAIL, PASSWORDS.a),
		b: await world.signUp(tenants.b, EMAIL, PASSWORDS.b),
		platform: await world.signUp(undefined, EMAIL, PASSWORDS.platform),
	};
	return { tenants, browsers };
};

describe.each(["sqlite", "postgres", "mysql"] as const)(
	"one email in two tenants and on the platform, on %s",
	(database) => {
		// threat 1
		it("rejects another tenant's password through /sign-in/email with a hint", async () => {
			const world = await createWorld({ database });
			const { tenants } = await createNamesakes(world);
			for (const place of PLACES) {
				for (const password of PLACES) {
					const answer = await world.call("/sign-in/email", {
						tenant: tenants[place],
						body: { email: EMAIL, password: PASSWORDS[password] },
					});
					expect([place, password, answer.status]).toEqual([place, password, place === password ? 200 : 401]);
					if (place === password) expect(answer.json.user.tenantId).toBe(tenants[place] ?? "platform");
				}
			}
		});

		// threat 1
		it("rejects another tenant's password through /tenant/sign-in/email", async () => {
			const world = await createWorld({ database });
			const { tenants } = await createNamesakes(world);
			for (const place of PLACES) {
				for (const password of PLACES) {
					const body = { email: EMAIL, password: PASSWORDS[password] };
					// the platform is not a tenant: its users sign in through the engine's endpoint
					const answer = tenants[place]
						? await world.call("/tenant/sign-in/email", { body: { ...body, tenantId: tenants[place] } })
						: await world.call("/sign-in/email", { body });
					expect([place, password, answer.status]).toEqual([place, password, place === password ? 200 : 401]);
				}
			}
		});

		it("creates three users with one account each", async () => {
			const world = await createWorld({ database });
			const { tenants } = await createNamesakes(world);
			const users = await world.database.query('select "tenantId", count(*) as n from "user" group by "tenantId"');
			const accounts = await world.database.query(
				'select "tenantId", count(*) as n from "account" group by "tenantId"',
			);
			const expected = [tenants.a, tenants.b, "platform"].sort();
			for (const rows of [users, accounts]) {
				expect(rows.map((row) => row.tenantId).sort()).toEqual(expected);
				expect(rows.map((row) => Number(row.n))).toEqual([1, 1, 1]);
			}
		});

		// threat 2
		it("resets the password of one tenant's user only, through the link in a new browser", async () => {
			const world = await createWorld({ database });
			const { tenants } = await createNamesakes(world);
			await world.call("/request-password-reset", { tenant: tenants.a, body: { email: EMAIL, redirectTo: "/reset" } });
			const link = await world.call(world.lastMail("reset").url);
			expect(link.status).toBe(302);
			const token = new URL(link.location ?? "").searchParams.get("token");

			// another tenant cannot use it, with or without the tag
			for (const stolen of [token, token?.split("~")[0]]) {
				const tried = await world.call("/reset-password", {
					tenant: tenants.b,
					body: { token: stolen, newPassword: "taken over" },
				});
				expect([tried.status, tried.code]).toEqual([400, "INVALID_TOKEN"]);
			}
			const reset = await world.call("/reset-password", { body: { token, newPassword: "a new password" } });
			expect(reset.status).toBe(200);
			const signIn = (place: (typeof PLACES)[number], password: string) =>
				world.call("/sign-in/email", { tenant: tenants[place], body: { email: EMAIL, password } });
			expect((await signIn("a", "a new password")).status).toBe(200);
			expect((await signIn("a", PASSWORDS.a)).status).toBe(401);
			expect((await signIn("b", PASSWORDS.b)).status).toBe(200);
			expect((await signIn("platform", PASSWORDS.platform)).status).toBe(200);
			expect((await signIn("b", "a new password")).status).toBe(401);
		});

		// threat 2
		it("verifies one tenant's user only, and rejects the token in another tenant", async () => {
			const world = await createWorld({ database });
			const { tenants } = await createNamesakes(world);
			await world.call("/send-verification-email", { tenant: tenants.a, body: { email: EMAIL } });
			const { token, url } = world.lastMail("verify");
			for (const stolen of [token, token.split("~")[0] ?? ""]) {
				const tried = await world.call("/verify-email", { tenant: tenants.b, query: { token: stolen } });
				expect(tried.status).toBe(401);
			}
			expect(await verified(world)).toEqual([]);
			const browser = new Browser();
			expect((await world.call(url, { browser })).status).toBe(302);
			expect(await verified(world)).toEqual([tenants.a]);
			// the link signs in to its own tenant in a new browser
			expect((await world.call("/get-session", { browser })).json.session.tenantId).toBe(tenants.a);
		});

		// threat 2
		it("changes the email of one tenant's user only", async () => {
			const world = await createWorld({ database });
			const { tenants, browsers } = await createNamesakes(world);
			await world.database.query(`update "user" set "emailVerified" = ${database === "sqlite" ? 1 : "true"}`);
			const asked = await world.call("/change-email", {
				browser: browsers.a,
				body: { newEmail: "new@example.com", callbackURL: "/" },
			});
			expect(asked.status).toBe(200);
			const { token, url } = world.lastMail("change");
			const stolen = await world.call("/verify-email", {
				browser: browsers.b,
				tenant: tenants.b,
				query: { token: token.split("~")[0] ?? "" },
			});
			expect(stolen.status).toBe(401);
			await world.call(url, { browser: browsers.a });
			await world.call(world.lastMail("verify").url, { browser: browsers.a });
			const rows = await world.database.query('select "tenantId", "email" from "user"');
			expect(Object.fromEntries(rows.map((row) => [row.tenantId, row.email]))).toEqual({
				[tenants.a]: "new@example.com",
				[tenants.b]: EMAIL,
				platform: EMAIL,
			});
		});
	},
);

describe.each(["compact", "jwt", "jwe"] as const)("a cookie cache with strategy %s", (strategy) => {
	it("is ignored in another tenant and on the platform", async () => {
		const world = await createWorld({ engine: { session: { cookieCache: { enabled: true, strategy, maxAge: 300 } } } });
		const { tenants, browsers } = await createNamesakes(world);
		const sessionData = [...browsers.a.cookies.keys()].filter((name) => name.includes("session_data"));
		expect(sessionData).not.toEqual([]);
		for (const place of ["b", "platform"] as const) {
			// the victim's token with the attacker's cached session
			const mixed = browsers[place].copy();
			for (const name of sessionData) mixed.cookies.set(name, browsers.a.cookies.get(name) ?? "");
			const seen = await world.call("/get-session", { browser: mixed });
			expect(seen.json.session.tenantId).toBe(tenants[place] ?? "platform");
			expect(seen.json.user.id).not.toBe((await world.call("/get-session", { browser: browsers.a })).json.user.id);
		}
		// a's token with a hint for b is no session, whatever the cache says
		const moved = await world.call("/get-session", { browser: browsers.a.copy(), tenant: tenants.b });
		expect([moved.status, moved.json]).toEqual([200, null]);
		const listed = await world.call("/list-sessions", { browser: browsers.a.copy(), tenant: tenants.b });
		expect([listed.status, listed.code]).toEqual([403, "SESSION_TENANT_MISMATCH"]);
	});
});

describe("encrypted values", () => {
	// threat 57
	it("do not decrypt in another tenant: a second factor copied into its row is rejected", async () => {
		const world = await createWorld({
			allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] } }, [twoFactor()]),
		});
		const { tenants, browsers } = await createNamesakes(world);
		const enable = async (place: "a" | "b") =>
			(await world.call("/two-factor/enable", { browser: browsers[place], body: { password: PASSWORDS[place] } })).json;
		const { totpURI } = await enable("a");
		await enable("b");
		await world.database.query(
			`update "twoFactor" set "secret" = (select "secret" from "twoFactor" where "tenantId" = '${tenants.a}')`,
		);
		const secret = new TextDecoder().decode(base32.decode(new URL(totpURI).searchParams.get("secret") ?? ""));
		const answer = async (place: "a" | "b") =>
			world.call("/two-factor/verify-totp", {
				browser: browsers[place],
				body: { code: await createOTP(secret).totp() },
			});
		expect((await answer("b")).status).not.toBe(200);
		expect((await answer("a")).status).toBe(200);
	});
});

const verified = async (world: World): Promise<unknown[]> =>
	(await world.database.query('select "tenantId", "emailVerified" from "user"'))
		.filter((row) => Number(row.emailVerified) === 1)
		.map((row) => row.tenantId);
