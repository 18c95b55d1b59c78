import { Browser } from "test-kit/browser";
import { type Answer, createWorld, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";

const ada = { name: "Ada", email: "ada@example.com", password: PASSWORD };

/** No session, but the cookie that keeps the password when this browser verifies the email. */
const ONLY_PASSWORD = ["better-auth.tenant_sign_up"];
const cookiesOf = ({ headers }: Answer) => headers.getSetCookie().map((line) => line.split("=")[0]);

describe("signing up to a tenant", () => {
	it("returns user and session, and signs in", async () => {
		const world = await createWorld();
		const tenantId = await world.newTenant();
		const browser = new Browser();
		const up = await world.call("/tenant/sign-up/email", {
			browser,
			body: { ...ada, tenantId, image: "https://example.com/a.png" },
		});
		expect(up.status).toBe(200);
		expect(up.json.user).toMatchObject({ email: ada.email, name: "Ada", image: "https://example.com/a.png", tenantId });
		expect(up.json.session).toMatchObject({ token: up.json.token, tenantId, userId: up.json.user.id });
		expect((await world.call("/get-session", { browser })).json.session.id).toBe(up.json.session.id);
	});

	it("creates no session while verification is required, and responds alike for a taken email", async () => {
		const world = await createWorld({
			engine: {
				emailAndPassword: { enabled: true, requireEmailVerification: true },
				emailVerification: {
					sendOnSignUp: true,
					autoSignInAfterVerification: true,
					sendVerificationEmail: async ({ url }) => void links.push(url),
				},
			},
		});
		const links: string[] = [];
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const up = (tenantId: string) => world.call("/tenant/sign-up/email", { body: { ...ada, tenantId } });
		const [fresh, taken, neighbor] = [await up(a), await up(a), await up(b)];
		// threat 52
		for (const answer of [fresh, taken, neighbor]) {
			expect(answer.status).toBe(200);
			expect(answer.json).toMatchObject({
				token: null,
				session: null,
				user: { email: ada.email, emailVerified: false },
			});
			expect(Object.keys(answer.json.user).sort()).toEqual(Object.keys(fresh.json.user).sort());
			expect(cookiesOf(answer)).toEqual(ONLY_PASSWORD);
		}
		expect([fresh, taken, neighbor].map(({ json }) => json.user.tenantId)).toEqual([a, a, b]);
		expect((await world.database.query('select count(*) as n from "user"'))[0]?.n).toBe(2);
		const early = await world.call("/tenant/sign-in/email", { body: { ...ada, tenantId: a } });
		expect([early.status, early.code]).toEqual([403, "EMAIL_NOT_VERIFIED"]);
		// the emailed link signs in a new browser to its tenant
		const browser = new Browser();
		await world.call(links[0] ?? "", { browser });
		expect((await world.call("/get-session", { browser })).json.session.tenantId).toBe(a);
		expect((await world.call("/tenant/sign-in/email", { body: { ...ada, tenantId: b } })).status).toBe(403);
	});

	it("creates no session if autoSignIn is off", async () => {
		const world = await createWorld({ engine: { emailAndPassword: { enabled: true, autoSignIn: false } } });
		const tenantId = await world.newTenant();
		const up = await world.call("/tenant/sign-up/email", { body: { ...ada, tenantId } });
		expect([up.json.token, up.json.session, cookiesOf(up)]).toEqual([null, null, ONLY_PASSWORD]);
		expect((await world.call("/tenant/sign-in/email", { body: { ...ada, tenantId } })).json.session.tenantId).toBe(
			tenantId,
		);
	});

	// threat 52
	it("returns 422 for a taken email in the same tenant only", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		expect((await world.call("/tenant/sign-up/email", { body: { ...ada, tenantId: a } })).status).toBe(200);
		expect((await world.call("/tenant/sign-up/email", { body: { ...ada, tenantId: b } })).status).toBe(200);
		const again = await world.call("/tenant/sign-up/email", { body: { ...ada, tenantId: a } });
		expect([again.status, again.code]).toEqual([422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"]);
	});

	it("rejects what Better Auth rejects", async () => {
		const world = await createWorld();
		const tenantId = await world.newTenant();
		for (const [body, status, code] of [
			[{ ...ada, email: "not an address" }, 400, "VALIDATION_ERROR"],
			[{ ...ada, password: "short" }, 400, "PASSWORD_TOO_SHORT"],
			[{ ...ada, password: "x".repeat(200) }, 400, "PASSWORD_TOO_LONG"],
		] as const) {
			expect(await world.call("/tenant/sign-up/email", { body: { ...body, tenantId } })).toMatchObject({
				status,
				code,
			});
		}
		const { name: _, ...nameless } = ada;
		expect((await world.call("/tenant/sign-up/email", { body: { ...nameless, tenantId } })).status).toBe(400);
	});
});

describe.each(["postgres", "mysql"] as const)("concurrent sign-ups on %s", (database) => {
	// threat 45
	it("create one user, account and session from 100 sign-ups with one email in one tenant", async () => {
		const world = await createWorld({ database });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const answers = await Promise.all(
			Array.from({ length: 100 }, () => world.call("/tenant/sign-up/email", { body: { ...ada, tenantId: a } })),
		);
		expect(answers.filter(({ status }) => status === 200).length).toBe(1);
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]));
		for (const table of ["user", "account", "session"]) {
			expect([table, Number((await world.database.query(`select count(*) as n from "${table}"`))[0]?.n)]).toEqual([
				table,
				1,
			]);
		}
		expect((await world.call("/tenant/sign-up/email", { body: { ...ada, tenantId: b } })).status).toBe(200);
	});
});
