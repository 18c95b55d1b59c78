import { bearer } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { createWorld, PASSWORD } from "test-kit/world";
import { expect, it } from "vitest";

// threat 85
it.each([
	["Redis", {}],
	["Redis and the database", { storeSessionInDatabase: true }],
])(
	"a session whose user left the tenant while it was created is no session, with sessions in %s",
	async (_, session) => {
		let leaves: (() => Promise<unknown>) | null = null;
		const world = await createWorld({
			redis: true,
			plugins: [bearer()],
			engine: {
				session,
				databaseHooks: {
					session: {
						create: {
							before: async () => {
								const leave = leaves;
								leaves = null;
								await leave?.();
							},
						},
					},
				},
			},
		});
		const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
		await world.signUp(a, "ada@example.com");
		const neighbor = await world.signUp(b, "bob@example.com");
		const signIn = async (browser: Browser) =>
			world.call("/sign-in/email", { tenant: a, browser, body: { email: "ada@example.com", password: PASSWORD } });
		const stayed = new Browser();
		await signIn(stayed);
		expect((await world.call("/get-session", { browser: stayed.copy(), tenant: a })).json?.user.email).toBe(
			"ada@example.com",
		);

		// as a move does
		leaves = () => world.database.query(`update "user" set "tenantId" = '${b}' where "email" = 'ada@example.com'`);
		const late = new Browser();
		const { json } = await signIn(late);
		const headers = { authorization: `Bearer ${json?.token}` };
		for (const tenant of [a, undefined]) {
			const found = await world.call("/get-session", { tenant, browser: late.copy() });
			expect([found.status, found.json]).toEqual([200, null]);
			const listed = await world.call("/list-sessions", { tenant, browser: late.copy() });
			expect(listed.status).toBe(401);
		}
		// a token beside a cookie of another tenant is looked up first
		expect((await world.call("/get-session", { browser: neighbor.copy(), headers })).status).toBe(200);
		expect((await world.call("/get-session", { browser: neighbor })).json?.user.email).toBe("bob@example.com");
	},
);
