import { redisStorage } from "@better-auth/redis-storage";
import { withKeyScan } from "better-auth-tenants";
import type { Redis } from "ioredis";
import type { Pool } from "pg";
import * as z from "zod";
import type { RedisConfig } from "../config/redis.ts";
import { readIdentity } from "../database/identity.ts";
import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";
import { untilReady } from "./redis-ready.ts";

const { ok, warning, notChecked } = findingsOf("sessions");

/** Sessions to compare. The check must not slow the server down. */
const SAMPLE = 500;
/** Pages of keys to look at. Rate limits and lists are among them. */
const MOST_PAGES = 20;

const stored = z.object({ session: z.object({ token: z.string() }) });

/** Compares sessions in Redis with the database, which may have been restored to an earlier time. */
export const checkSessions = async (
	config: RedisConfig | null,
	redis: Redis | null,
	pool: Pool | null,
): Promise<Finding[]> => {
	if (!config || !redis || !pool) return [];
	try {
		await untilReady(redis);
		const prefix = `${config.keyPrefix}${await readIdentity(pool)}:`;
		const sampled = await sampleSessions(redis, prefix);
		const unknown = await findUnknown(pool, sampled);
		// sessions that ended meanwhile are gone from Redis too
		const left = unknown.size === 0 ? 0 : (await readTokens(redis, [...unknown.keys()])).size;
		if (left > 0)
			return [
				warning(
					`${left} of ${sampled.size} sessions in Redis are not in the database, so their users stay signed in`,
					"If the database was restored, run `tenants restored`. Otherwise they end when they expire.",
				),
			];
		return [ok(`${sampled.size} sessions in Redis are also in the database`)];
	} catch (error) {
		return [notChecked(`sessions could not be compared: ${describeFailure(error).says}`)];
	}
};

/** Tokens by key. */
type Tokens = Map<string, string>;

const sampleSessions = async (redis: Redis, prefix: string): Promise<Tokens> => {
	const { scanKeys } = withKeyScan(redisStorage, { client: redis, keyPrefix: prefix });
	const sampled: Tokens = new Map();
	let pages = 0;
	for await (const keys of scanKeys("")) {
		const found = await readTokens(
			redis,
			keys.map((key) => `${prefix}${key}`),
		);
		for (const [key, token] of found) if (sampled.size < SAMPLE) sampled.set(key, token);
		pages += 1;
		if (sampled.size >= SAMPLE || pages >= MOST_PAGES) break;
	}
	return sampled;
};

const readTokens = async (redis: Redis, keys: string[]): Promise<Tokens> => {
	const values = keys.length > 0 ? await redis.mget(...keys) : [];
	return new Map(
		keys.flatMap((key, index) => {
			const { success, data } = stored.safeParse(parse(values[index]));
			return success ? [[key, data.session.token]] : [];
		}),
	);
};

const parse = (text: string | null | undefined): unknown => {
	try {
		return JSON.parse(text ?? "null");
	} catch {
		return null;
	}
};

const findUnknown = async (pool: Pool, sampled: Tokens): Promise<Tokens> => {
	const { rows } = await pool.query<{ token: string }>('select "token" from "session" where "token" = any($1)', [
		[...sampled.values()],
	]);
	const known = new Set(rows.map(({ token }) => token));
	return new Map([...sampled].filter(([, token]) => !known.has(token)));
};
