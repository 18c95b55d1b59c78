import { Browser } from "test-kit/browser";
import { createWorld, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";

const ada = { name: "Ada", email: "ada@example.com", password: PASSWORD };

describe("signing up under a tenant", () => {
	it("answers user and session, and signs in", async () => {
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

	it("makes no session while verification is required, and answers alike for a taken e-mail", async () => {
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
		const [fresh, taken, neighbour] = [await up(a), await up(a), await up(b)];
		// threat 52
		for (const answer of [fresh, taken, neighbour]) {
			expect(answer.status).toBe(200);
			expect(answer.json).toMatchObject({
				token: null,
				session: null,
				user: { email: ada.email, emailVerified: false },
			});
			expect(Object.keys(answer.json.user).sort()).toEqual(Object.keys(fresh.json.user).sort());
			expect(answer.headers.getSetCookie()).toEqual([]);
		}
		expect([fresh, taken, neighbour].map(({ json }) => json.user.tenantId)).toEqual([a, a, b]);
		expect((await world.database.query('select count(*) as n from "user"'))[0]?.n).toBe(2);
		const early = await world.call("/tenant/sign-in/email", { body: { ...ada, tenantId: a } });
		expect([early.status, early.code]).toEqual([403, "EMAIL_NOT_VERIFIED"]);
		// the mailed link works in a clean browser and signs in to its tenant
		const browser = new Browser();
		await world.call(links[0] ?? "", { browser });
		expect((await world.call("/get-session", { browser })).json.session.tenantId).toBe(a);
		expect((await world.call("/tenant/sign-in/email", { body: { ...ada, tenantId: b } })).status).toBe(403);
	});

	it("makes no session while auto sign-in is off", async () => {
		const world = await createWorld({ engine: { emailAndPassword: { enabled: true, autoSignIn: false } } });
		const tenantId = await world.newTenant();
		const up = await world.call("/tenant/sign-up/email", { body: { ...ada, tenantId } });
		expect([up.json.token, up.json.session, up.headers.getSetCookie()]).toEqual([null, null, []]);
		expect((await world.call("/tenant/sign-in/email", { body: { ...ada, tenantId } })).json.session.tenantId).toBe(
			tenantId,
		);
	});

	// threat 52
	it("says that an e-mail is taken in its own tenant only", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		expect((await world.call("/tenant/sign-up/email", { body: { ...ada, tenantId: a } })).status).toBe(200);
		expect((await world.call("/tenant/sign-up/email", { body: { ...ada, tenantId: b } })).status).toBe(200);
		const again = await world.call("/tenant/sign-up/email", { body: { ...ada, tenantId: a } });
		expect([again.status, again.code]).toEqual([422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"]);
	});

	it("refuses what the engine refuses", async () => {
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

describe.each(["postgres", "mysql"] as const)("in parallel on %s", (database) => {
	// threat 45
	it("makes one user, account and session of 100 sign-ups of one e-mail in one tenant", async () => {
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
