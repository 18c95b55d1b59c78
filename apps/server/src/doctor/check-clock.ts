import type { Pool } from "pg";
import type { RedisClient } from "../redis/client.ts";
import { type Finding, findingsOf } from "./finding.ts";
import { untilReady } from "./redis-ready.ts";

const { ok, warning, wrong, notChecked } = findingsOf("clock");

/** Compares this machine's clock with PostgreSQL and Redis. Sessions and codes expire by it. */
export const checkClock = async (pool: Pool | null, redis: RedisClient | null): Promise<Finding[]> => {
	const findings = await Promise.all([
		pool && compare("PostgreSQL", () => askDatabase(pool)),
		redis && compare("Redis", () => askRedis(redis)),
	]);
	const found = findings.filter((finding) => finding !== null);
	return found.length > 0 ? found : [notChecked("there is no other clock to compare")];
};

/** Milliseconds since 1970, from another clock. */
type AskTime = () => Promise<number>;

const compare = async (name: string, ask: AskTime): Promise<Finding> => {
	try {
		await ask(); // the first query also opens the connection
		const before = Date.now();
		const theirs = await ask();
		const after = Date.now();
		return judge(name, (theirs - (before + after) / 2) / 1000);
	} catch {
		return notChecked(`${name} could not be queried`);
	}
};

const judge = (name: string, seconds: number): Finding => {
	const apart = Math.abs(seconds);
	const says = `${name} is ${apart < 1 ? `${Math.round(apart * 1000)} ms` : `${apart.toFixed(1)} s`} ${seconds < 0 ? "behind" : "ahead"}`;
	const fix = "Synchronize both machines with NTP.";
	if (apart > 30) return wrong(`${says}: sessions and codes expire at the wrong time`, fix);
	return apart > 2 ? warning(says, fix) : ok(says);
};

const askDatabase = async (pool: Pool): Promise<number> => {
	const { rows } = await pool.query<{ now: number }>(
		"select (extract(epoch from clock_timestamp()) * 1000)::float8 as now",
	);
	return Number(rows[0]?.now);
};

const askRedis = async (redis: RedisClient): Promise<number> => {
	await untilReady(redis);
	const [seconds, microseconds] = await redis.time();
	return Number(seconds) * 1000 + Number(microseconds) / 1000;
};
