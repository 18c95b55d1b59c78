import { startPgBouncer } from "test-kit/servers/pgbouncer";
import { expect, it } from "vitest";
import { migrate } from "../../src/schema/migrate.ts";
import { checkSchema } from "../../src/schema/schema-check.ts";
import { cookieHeader, openProcess } from "../auth/world.ts";
import { createTestDatabase } from "../support/database.ts";

it("migrates and serves through PgBouncer in transaction mode", async () => {
	const database = await createTestDatabase();
	const { port, pathname } = new URL(database.url);
	const bouncer = await startPgBouncer(Number(port || 5432), pathname.slice(1));
	const { url } = bouncer;
	const processes = [openProcess({ DATABASE_URL: url }), openProcess({ DATABASE_URL: url })];
	try {
		const [first, second] = processes as [(typeof processes)[0], (typeof processes)[0]];
		const done = await Promise.all([first, second].map(({ auth, pool }) => migrate(auth, pool, () => {})));
		expect(done.filter((what) => what.length > 0)).toHaveLength(1);
		expect(await checkSchema(first.auth, first.pool)).toEqual([]);
		const tenants = await Promise.all(
			["acme", "globex"].map((slug) => first.auth.api.createTenant({ body: { name: slug, slug } })),
		);
		// more concurrent users than the server behind it has connections for us
		await Promise.all(
			tenants.flatMap(({ id }) =>
				[1, 2, 3, 4].map(async (number) => {
					const { status, cookies } = await second.signUp(id, `ada-${number}@example.com`);
					expect(status).toBe(200);
					const session = await first.call("/get-session", { headers: { cookie: cookieHeader(cookies) } });
					expect(session.json.session).toMatchObject({ tenantId: id });
				}),
			),
		);
	} finally {
		await Promise.all(processes.map((process) => process.close()));
		await bouncer.close();
		await database.drop();
	}
}, 60_000);
