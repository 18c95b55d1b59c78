import { betterAuth } from "better-auth";
import { createSessionCache, sessionCacheSteps, tenantAuth } from "better-auth-tenants";
import type { Browser } from "test-kit/browser";
import { createWorld, ORIGIN, type WorldOptions } from "test-kit/world";
import { onTestFinished } from "vitest";

/** A store of copies in memory, whose calls can fail, be late, or be lost. */
export const createStore = () => {
	const copies = new Map<string, string>();
	const state = { isDown: false, reads: 0, hold: null as Promise<void> | null, hangs: null as Promise<void> | null };
	const respond = (): void => {
		if (state.isDown) throw new Error("the store does not respond");
	};
	return {
		copies,
		state,
		get: async (key: string) => {
			respond();
			state.reads += 1;
			await state.hangs;
			return copies.get(key) ?? null;
		},
		set: async (key: string, value: string) => {
			respond();
			await state.hold;
			copies.set(key, value);
		},
		delete: async (key: string) => {
			respond();
			copies.delete(key);
		},
	};
};

/** Two processes on one PostgreSQL, with one store of copies. */
export const createCachedWorld = async (given: WorldOptions = {}, { lease = 5, timeout = 5 } = {}) => {
	const store = createStore();
	const asks: ((sql: string) => Promise<Record<string, unknown>[]>)[] = [];
	const asking = { fails: false };
	const newCache = () =>
		createSessionCache({
			database: {
				query: async (sql) => {
					if (asking.fails) throw new Error("the database does not respond");
					return { rows: (await asks[0]?.(sql)) ?? [] };
				},
			},
			store,
			lease,
			timeout,
		});
	const own = newCache();
	const world = await createWorld({
		...given,
		database: "postgres",
		tenantAuth: { ...given.tenantAuth, sessionCache: own },
	});
	asks.push(world.database.query);
	for (const statement of await sessionCacheSteps(world.auth)) await world.database.query(statement);
	await own.follow();
	const other = newCache();
	await other.follow();
	const [first, ...plugins] = world.options.plugins;
	const second = betterAuth({
		...world.options,
		plugins: [tenantAuth({ ...first?.options, sessionCache: other }), ...plugins],
	});
	await second.$context;
	const check = async (auth: { handler: (request: Request) => Promise<Response> }, browser: Browser) => {
		const headers = { origin: ORIGIN, cookie: browser.header() };
		const response = await auth.handler(new Request(`${ORIGIN}/api/auth/get-session`, { headers }));
		if (response.status !== 200) throw new Error(`get-session: ${response.status} ${await response.text()}`);
		return (await response.json()) as { user: Record<string, unknown>; session: Record<string, unknown> } | null;
	};
	onTestFinished(() => {
		own.stop();
		other.stop();
	});
	return {
		world,
		store,
		own,
		other,
		asking,
		/** at this process, and at the other one */
		here: (browser: Browser) => check(world.auth, browser),
		there: (browser: Browser) => check(second, browser),
		/** statements of one call */
		statementsOf: async (run: () => Promise<unknown>): Promise<number> => {
			world.database.statements.length = 0;
			await run();
			return world.database.statements.length;
		},
	};
};
