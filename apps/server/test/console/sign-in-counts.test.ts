import pg from "pg";
import { afterEach, expect, it, vi } from "vitest";
import { createSignInCounts } from "../../src/measure/sign-in-counts.ts";
import { sweep } from "../../src/sweep/sweep.ts";
import { keepLog } from "../support/log.ts";
import { createWorld } from "../support/world.ts";
import { type ConsoleWorld, startConsole } from "./console-world.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	vi.useRealTimers();
	for (const close of closers.splice(0).reverse()) await close();
});

const start = async (): Promise<ConsoleWorld> => {
	const world = await startConsole();
	closers.push(world.close);
	return world;
};

const today = (): string => new Date().toISOString().slice(0, 10);

// threat 129
it("counts sign-ins by day and method when the server closes, and shows days without one as 0", async () => {
	const world = await start();
	const { acme, globex, pool, call } = world;
	const other = await world.world.start();
	const day = today();
	for (const password of [undefined, undefined, "wrong horse battery"])
		await other.signIn(acme.id, "owner@example.com", password);
	await other.signIn(globex.id, "nobody@example.com");
	// neither a tenant that is missing nor the platform
	await other.signIn("missing", "owner@example.com");
	await other.post("/sign-in/email", { email: "operator@example.com", password: "correct horse battery" });
	await other.close();
	const read = async (tenantId: string, query = "") =>
		(await call(`/tenant/sign-ins?tenantId=${tenantId}${query}`, { as: "key" })).json as {
			days: { day: string; succeeded: number; refused: number }[];
			methods: object[];
		};
	const own = await read(acme.id);
	expect(own.days).toHaveLength(30);
	expect(own.days.filter(({ succeeded, refused }) => succeeded + refused > 0)).toEqual([
		{ day, succeeded: 2, refused: 1 },
	]);
	expect(own.days.at(-1)?.day).toBe(today());
	expect(own.methods).toEqual([{ method: "email", succeeded: 2, refused: 1 }]);
	const others = await read(globex.id, "&days=1");
	expect(others.days).toEqual([{ day: today(), succeeded: 0, refused: today() === day ? 1 : 0 }]);
	expect((await pool.query(`select from "serviceSignInCount"`)).rowCount).toBe(2);
	// the rows of a deleted tenant go with it
	await call("/tenant/delete", { as: "key", body: { tenantId: acme.id } });
	const { rows } = await pool.query(`select "tenantId" from "serviceSignInCount"`);
	expect(rows).toEqual([{ tenantId: globex.id }]);
	expect((await call(`/tenant/sign-ins?tenantId=${acme.id}`, { as: "key" })).code).toBe("TENANT_NOT_FOUND");
});

it("adds all counts with one statement, none while nobody signs in, and keeps those of an outage", async () => {
	const { pool, acme, globex } = await start();
	const { logger } = keepLog("silent");
	let isDown = false;
	const query = vi.fn((text: string, values: unknown[]) =>
		isDown ? Promise.reject(new Error("down")) : pool.query(text, values),
	);
	const counts = createSignInCounts({ pool: { query }, logger });
	closers.push(counts.close);
	await counts.flush();
	expect(query).not.toHaveBeenCalled();
	for (const tenantId of [acme.id, globex.id, "deleted-meanwhile"])
		for (const outcome of ["success", "refused", "refused", "pending", "failed"] as const)
			counts.note({ tenantId, method: "email", outcome });
	expect(query).not.toHaveBeenCalled();
	isDown = true;
	await counts.flush();
	isDown = false;
	counts.note({ tenantId: acme.id, method: "google", outcome: "success" });
	counts.note({ tenantId: acme.id, method: "email", outcome: "success" });
	await counts.flush();
	expect(query).toHaveBeenCalledTimes(2);
	const { rows } = await pool.query(
		`select "tenantId", "method", "succeeded"::int, "refused"::int from "serviceSignInCount" order by "method"`,
	);
	expect(rows).toHaveLength(3);
	expect(rows).toEqual(
		expect.arrayContaining([
			{ tenantId: acme.id, method: "email", succeeded: 2, refused: 2 },
			{ tenantId: globex.id, method: "email", succeeded: 1, refused: 2 },
			{ tenantId: acme.id, method: "google", succeeded: 1, refused: 0 },
		]),
	);
});

it("adds up the counts of many processes at the same time", async () => {
	const { pool, acme, globex } = await start();
	const { logger } = keepLog("silent");
	const many = Array.from({ length: 8 }, () => createSignInCounts({ pool, logger }));
	// in different orders
	for (const [index, counts] of many.entries())
		for (const tenantId of index % 2 ? [acme.id, globex.id] : [globex.id, acme.id])
			for (const method of index % 3 ? ["email", "google"] : ["google", "email"])
				counts.note({ tenantId, method, outcome: "success" });
	await Promise.all(many.map((counts) => counts.close()));
	const { rows } = await pool.query(`select distinct "succeeded"::int from "serviceSignInCount"`);
	expect(rows).toEqual([{ succeeded: 8 }]);
});

it("sweeps old counts and events, and leaves the others", async () => {
	const { pool, acme, globex } = await start();
	await pool.query(`delete from "serviceEvent"`);
	for (const id of [acme.id, globex.id]) {
		await pool.query(
			`insert into "serviceSignInCount" ("tenantId", "day", "method", "succeeded") select $1, current_date - age, 'email', 1 from unnest(array[0, 89, 93, 400]) as age`,
			[id],
		);
		await pool.query(
			`insert into "serviceEvent" ("at", "tenantId", "action", "outcome", "entry") select now() - make_interval(days => age), $1, 'tenant:update', 'allowed', '{}' from unnest(array[0, 89, 91]) as age`,
			[id],
		);
	}
	const swept: Record<string, number> = {};
	await sweep({ pool, onSwept: (what, rows) => (swept[what] = rows) });
	expect(swept).toEqual({ signInCount: 4, event: 2 });
	for (const table of ["serviceSignInCount", "serviceEvent"])
		expect((await pool.query(`select distinct "tenantId" from "${table}"`)).rowCount).toBe(2);
});

it("has neither tables, endpoints nor statements without CONSOLE", async () => {
	const world = await createWorld({ environment: { PLUGINS: "admin,tenant-admin" } });
	closers.push(world.close);
	const service = await world.start();
	const id = await service.createTenant();
	await service.signUp(id, "ada@example.com");
	await service.signIn(id, "ada@example.com");
	for (const path of ["console", "branding", "sign-ins", "events", "platform"])
		expect((await service.call(`/api/auth/tenant/${path}?tenantId=${id}`)).status).toBe(404);
	const pool = new pg.Pool({ connectionString: world.database.url });
	const { rows } = await pool.query(`select to_regclass('"serviceEvent"') as events`);
	await pool.end();
	expect(rows).toEqual([{ events: null }]);
});
