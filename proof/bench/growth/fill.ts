import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { Client } from "pg";
import { createCrowd, crowdTenantId } from "test-kit/crowd";
import { showCount } from "test-kit/results/show-count";
import type { Engine } from "../stage/engine.ts";
import { setAsideIndexes } from "./set-aside-indexes.ts";
import type { Size } from "./sizes.ts";

/** The final contents of a database. */
export type Filled = Size & {
	/** the intended number of users; there are fewer if time or disk ran out */
	usersWanted: number;
	/** of the largest tenant */
	mostUsers: number;
	sessions: number;
	oauthConfigs: number;
	bytes: number;
	seconds: number;
};

const BATCH = 500_000;
/** for adding rows; building indexes afterwards is not limited */
const MAX_SECONDS = 480;
/** must stay free in addition to the indexes, which take about as much as the rows */
const FREE_BYTES = 15e9;
/** unfinished social sign-ins: one per this many users */
const USERS_A_VERIFICATION = 10;

export const PROVIDER = { providerId: "google", clientId: "bench-client", clientSecret: "bench-client-secret" };

/** Fills a new engine's database with tenants and users, two sessions each, cloned from rows that the engine wrote. */
export const fillDatabase = async (engine: Engine, size: Size, log: (line: string) => void): Promise<Filled> => {
	const began = performance.now();
	await writeModel(engine);
	const client = new Client(engine.pool.options);
	await client.connect();
	try {
		const crowd = createCrowd(async (sql) => (await client.query<object>(sql)).rows);
		await crowd.takeTemplates();
		const restoreIndexes = await setAsideIndexes(client);
		for (const [first, last] of batches(size.tenants)) await crowd.addTenants(first, last);
		const deadline = performance.now() + MAX_SECONDS * 1000;
		let users = 0;
		for (const [first, last] of batches(size.users)) {
			if (users > 0 && (performance.now() > deadline || (await isDiskScarce(client)))) break;
			await crowd.addUsers(size.tenants, first, last);
			users = last;
			log(`${showCount(users)} of ${showCount(size.users)} users in ${showCount(size.tenants)} tenants`);
		}
		await crowd.addVerifications(size.tenants, 1, Math.ceil(users / USERS_A_VERIFICATION));
		await crowd.dropTemplates();
		await restoreIndexes(log);
		log("vacuum and checkpoint");
		await client.query("vacuum analyze");
		await client.query("checkpoint");
		const { rows } = await client.query<Pick<Filled, "mostUsers" | "sessions" | "oauthConfigs" | "bytes">>(
			`select (select count(*)::int from "user" where "tenantId" = ${crowdTenantId(1)}) as "mostUsers",
			(select count(*)::int from session) as sessions, (select count(*)::int from "tenantOauthConfig") as "oauthConfigs",
			pg_database_size(current_database())::float8 as bytes`,
		);
		const [held = { mostUsers: 0, sessions: 0, oauthConfigs: 0, bytes: 0 }] = rows;
		const seconds = Math.round((performance.now() - began) / 1000);
		return { ...size, ...held, users, usersWanted: size.users, seconds };
	} finally {
		await client.end();
	}
};

/** One row of each table, written by the engine, to clone from. */
const writeModel = async (engine: Engine): Promise<void> => {
	const tenantId = await engine.newTenant("model");
	await engine.signUp("model@example.com", tenantId);
	await engine.call("/tenant/oauth-config/register", { operator: true, body: { ...PROVIDER, tenantId } });
	await engine.call("/tenant/sign-in/social", { body: { tenantId, provider: PROVIDER.providerId } });
};

const batches = (count: number): [first: number, last: number][] =>
	Array.from({ length: Math.ceil(count / BATCH) }, (_, at) => [at * BATCH + 1, Math.min(count, (at + 1) * BATCH)]);

const isDiskScarce = async (client: Client): Promise<boolean> => {
	const { rows } = await client.query<{ bytes: number }>(
		"select pg_database_size(current_database())::float8 as bytes",
	);
	const { bavail, bsize } = await statfs(tmpdir());
	return bavail * bsize < FREE_BYTES + (rows[0]?.bytes ?? 0);
};
