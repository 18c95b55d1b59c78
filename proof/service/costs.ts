import { randomBytes } from "node:crypto";
import { Pool } from "pg";
import { newTenant, PASSWORD, Visitor } from "test-kit/load/visitor";
import type { Outcome } from "test-kit/results/outcome";
import { startPostgres } from "test-kit/servers/postgres-server";
import { startRedis } from "test-kit/servers/redis-server";
import type { Environment } from "test-kit/service/service";
import { startStack } from "test-kit/service/stack";
import type { RunOptions } from "./part.ts";
import { measureRate, type Rate } from "./rate.ts";
import { SERVICE_MAIN } from "./service-main.ts";
import { fillTables, measureTables, type TableSize, uniqueIndexes } from "./table-sizes.ts";
import { measureTokens, type TokenRate } from "./token-rate.ts";

export type CostsResult = {
	tenants: number;
	users: number;
	tables: TableSize[];
	/** whether an index contains the tenant, which decides whether tables can be partitioned by tenant */
	unique: { table: string; columns: string[]; hasTenant: boolean }[];
	rates: { what: string; rate: Rate }[];
	/** missing in older results */
	tokens?: TokenRate;
};

const EMAIL = "ada@example.com";

/**
 * The cost of a sign-in, a session check, a user and a tenant, with one process, the load and the database on one
 * machine.
 */
export const runCosts = async ({ full, log }: RunOptions): Promise<Outcome<CostsResult>> => {
	const size = full ? { tenants: 10_000, users: 1_000_000 } : { tenants: 100, users: 10_000 };
	const seconds = full ? 20 : 4;
	const postgres = await startPostgres();
	const redis = await startRedis({ persistent: true });
	const pool = new Pool({ connectionString: postgres.url, max: 2 });
	const rates: CostsResult["rates"] = [];
	try {
		const withRedis = { REDIS_URL: `redis://127.0.0.1:${redis.port}` };
		const ways: [string, Environment][] = [
			["in PostgreSQL", {}],
			["in Redis", withRedis],
			["in its signed cookie", { ...withRedis, COOKIE_CACHE_MAX_AGE: "300" }],
		];
		for (const [where, environment] of ways) {
			await withPerson({ DATABASE_URL: postgres.url, ...environment }, async ({ origin, person, credentials }) => {
				if (rates.length === 0) {
					await fillTables(pool, { ...size, log });
					const signIn = () => new Visitor(() => origin).send("/tenant/sign-in/email", { body: credentials });
					rates.push({
						what: "sign-ins with the engine's scrypt",
						rate: await measureRate(signIn, { seconds, parallel: 8 }),
					});
				}
				const look = () => person.copy().send("/get-session");
				// the first response renews a cookie that is due
				await person.send("/get-session");
				rates.push({
					what: `session checks, the session ${where}`,
					rate: await measureRate(look, { seconds, parallel: 16 }),
				});
				log(rates.map(({ what, rate }) => `${what}: ${rate.perSecond}/s`).at(-1) ?? "");
			});
		}
		// in a process of its own: with the jwt plugin, each session check signs a token
		const tokens = await withPerson(
			{ DATABASE_URL: postgres.url, PLUGINS: "jwt" },
			({ origin, person, credentials: { tenantId } }) => measureTokens(person, { origin, tenantId, seconds }),
		);
		const result = { ...size, tables: await measureTables(pool), unique: await uniqueIndexes(pool), rates, tokens };
		return {
			result,
			wrong: rates.flatMap(({ what, rate }) => (rate.failed > 0 ? [`${what}: ${rate.failed} failed`] : [])),
			lines: [
				...rates.map(({ what, rate }) => `${what}: ${rate.perSecond} a second, median ${rate.medianMs} ms`),
				`tokens verified by the application: ${tokens.perSecond} a second on one thread`,
			],
		};
	} finally {
		await pool.end();
		await redis.close();
		await postgres.close();
	}
};

type SignedIn = {
	origin: string;
	person: Visitor;
	credentials: { tenantId: string; email: string; password: string };
};

/** Runs one process of the service, with a user of a new tenant who is signed in. */
const withPerson = async <Result>(
	environment: Environment,
	act: (signedIn: SignedIn) => Promise<Result>,
): Promise<Result> => {
	const stack = await startStack(SERVICE_MAIN, environment, [{}]);
	try {
		const origin = stack.services[0]?.origin ?? "";
		const person = new Visitor(() => origin);
		const tenantId = await newTenant(person, `costs-${randomBytes(3).toString("hex")}`);
		const credentials = { tenantId, email: EMAIL, password: PASSWORD };
		await person.send("/tenant/sign-up/email", { body: { ...credentials, name: "Ada" } });
		return await act({ origin, person, credentials });
	} finally {
		await stack.close();
	}
};
