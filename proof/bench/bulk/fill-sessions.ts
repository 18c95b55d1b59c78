import type { Redis } from "ioredis";
import type { Pool } from "pg";
import { personOf } from "./person.ts";

/** Gives each user of a tenant a copy of the existing session. */
export const fillSessionRows = async (pool: Pool, tenantId: string): Promise<number> => {
	const { rows } = await pool.query<{ name: string }>(
		"select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = 'session' and is_generated = 'NEVER'",
	);
	const changed: Record<string, string> = {
		id: `'s-' || u."id"`,
		userId: `u."id"`,
		// the tenant follows the separator
		token: `regexp_replace(one."token", '^[^~]*', md5(u."id"))`,
	};
	const columns = rows.map(({ name }) => `"${name}"`).join(", ");
	const values = rows.map(({ name }) => changed[name] ?? `one."${name}"`).join(", ");
	const { rowCount } = await pool.query(
		`insert into "session" (${columns}) select ${values} from (select * from "session" where "tenantId" = $1 limit 1) one, "user" u where u."tenantId" = $1`,
		[tenantId],
	);
	await pool.query(`vacuum analyze "session"`);
	return rowCount ?? 0;
};

type Filled = { redis: Redis; prefix: string; tenantId: string; people: { prefix: string; count: number } };
const CHUNK = 1_000;

/** The same in Redis, with one key per session and one per user's list of sessions. */
export const fillSessionKeys = async ({ redis, prefix, tenantId, people }: Filled): Promise<number> => {
	const keys = await redis.keys(`${prefix}tenant:${tenantId}:*`);
	const listKey = keys.find((key) => key.includes("active-sessions-"));
	const list = listKey && (await redis.get(listKey));
	const token = list && (JSON.parse(list) as { token: string }[])[0]?.token;
	if (!token) throw new Error("no user is signed in");
	const sessionKey = `${prefix}tenant:${tenantId}:${token}`;
	const session = (await redis.get(sessionKey)) ?? "";
	const seconds = await redis.ttl(sessionKey);
	const first = personOf(people.prefix, 0).id;
	for (let from = 1; from < people.count; from += CHUNK) {
		const pipeline = redis.pipeline();
		for (let number = from; number < Math.min(from + CHUNK, people.count); number += 1) {
			const { id } = personOf(people.prefix, number);
			const named = (text: string): string => text.replaceAll(first, id).replaceAll(token, `${id}-${token}`);
			pipeline.set(named(sessionKey), named(session), "EX", seconds);
			pipeline.set(named(listKey), named(list), "EX", seconds);
		}
		await pipeline.exec();
	}
	return people.count;
};

/** Sessions of unrelated tenants, as in a shared storage. */
export const fillForeignKeys = async (redis: Redis, prefix: string, sessions: number): Promise<number> => {
	const [key] = await redis.keys(`${prefix}tenant:*:active-sessions-*`);
	const list = key && (await redis.get(key));
	if (!list) throw new Error("no user is signed in");
	for (let from = 0; from < sessions; from += CHUNK) {
		const pipeline = redis.pipeline();
		for (let number = from; number < Math.min(from + CHUNK, sessions); number += 1) {
			const { id } = personOf("foreign", number);
			const tenant = `${prefix}tenant:foreign-${number % FOREIGN_TENANTS}`;
			pipeline.set(`${tenant}:active-sessions-${id}`, list, "EX", DAY_SECONDS);
			pipeline.set(`${tenant}:${id}-token`, list, "EX", DAY_SECONDS);
		}
		await pipeline.exec();
	}
	return 2 * sessions;
};

const FOREIGN_TENANTS = 1_000;
const DAY_SECONDS = 86_400;
