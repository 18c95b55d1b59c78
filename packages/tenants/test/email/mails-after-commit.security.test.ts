import { isEngineFrom } from "test-kit/engine-version";
import { createWorld, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";

const ADA = "ada@example.com";

describe.each(["sqlite", "postgres", "mysql"] as const)("the mail of a sign-up, on %s", (database) => {
	const createWorldThatFails = async () => {
		const sent: { url: string; token: string; rows: number }[] = [];
		const failing = new Set<unknown>();
		const world = await createWorld({
			database,
			engine: {
				emailVerification: {
					sendOnSignUp: true,
					sendVerificationEmail: async ({ url, token, user }) => {
						// another connection: finds the user only after the commit
						const rows = await world.database.query(`select "id" from "user" where "id" = '${user.id}'`);
						sent.push({ url, token, rows: rows.length });
					},
				},
				databaseHooks: {
					session: {
						create: {
							before: async (session) => {
								if ("tenantId" in session && failing.has(session.tenantId)) throw new Error("no session today");
							},
						},
					},
				},
			},
		});
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const signUp = (tenant: string, email: string) =>
			world.call("/sign-up/email", { tenant, body: { name: "Ada", email, password: PASSWORD } });
		return { world, a, b, sent, signUp, failing };
	};

	it("names its tenant, and verifies the email only there", async () => {
		const { world, a, b, sent, signUp } = await createWorldThatFails();
		for (const tenant of [a, b]) expect((await signUp(tenant, ADA)).status).toBe(200);
		expect(sent).toHaveLength(2);
		// since Better Auth 1.7.22
		if (isEngineFrom(22)) expect(sent.map(({ rows }) => rows)).toEqual([1, 1]);
		const token = sent[0]?.token ?? "";
		const misled = await world.call("/verify-email", { tenant: b, query: { token } });
		expect(misled.status).toBeGreaterThanOrEqual(400);
		expect((await world.call("/verify-email", { query: { token } })).status).toBe(200);
		const verified = await world.database.query(`select "tenantId", "emailVerified" from "user"`);
		expect(verified.filter(({ emailVerified }) => Boolean(emailVerified)).map(({ tenantId }) => tenantId)).toEqual([a]);
	});

	it("is not sent if the sign-up is rolled back, since Better Auth 1.7.22", async () => {
		const { world, a, b, sent, signUp, failing } = await createWorldThatFails();
		failing.add(a);
		expect((await signUp(a, ADA)).status).toBeGreaterThanOrEqual(400);
		expect((await signUp(b, ADA)).status).toBe(200);
		const users = await world.database.query(`select "tenantId" from "user"`);
		expect(users).toEqual([{ tenantId: b }]);
		expect(sent).toHaveLength(isEngineFrom(22) ? 1 : 2);
	});
});
