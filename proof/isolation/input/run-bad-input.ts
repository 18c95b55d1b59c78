import { randomInt } from "node:crypto";
import { Redis } from "ioredis";
import { startIdentityProvider } from "test-kit/identity-provider";
import { createDatabase, type Database } from "test-kit/run-database";
import { OWN_SOURCE, type RunningApp, startApp } from "../app/start-app.ts";
import { attack, BATCH } from "./attack.ts";
import { createTally, type InputResult } from "./tally.ts";

export type { InputResult };

export type InputOptions = {
	requests?: number;
	/** the same seed creates the same requests */
	seed?: number;
	/** sends only this one, to repeat a finding */
	only?: number;
	source?: string;
	/** the last part of the requests uses Redis for sessions and verifications */
	redisShare?: number;
	redisURL?: string;
	/** a request that takes longer than 5 s is a finding */
	byTime?: boolean;
	log?: (line: string) => void;
};

/**
 * Sends generated requests to every endpoint and checks for errors, hanging, foreign redirects and changed prototypes.
 */
export const runBadInput = async ({
	requests = 100_000,
	seed = randomInt(2 ** 31),
	only,
	source = OWN_SOURCE,
	redisShare = 0.2,
	redisURL = process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379",
	byTime = true,
	log = (line) => console.error(line),
}: InputOptions = {}): Promise<InputResult> => {
	const tally = createTally(seed, log);
	const inDatabase = requests - Math.floor((requests * redisShare) / BATCH) * BATCH;
	const parts =
		only === undefined
			? [
					{ from: 0, to: inDatabase, isRedis: false },
					{ from: inDatabase, to: requests, isRedis: true },
				]
			: [{ from: only, to: only + 1, isRedis: only >= inDatabase }];
	const identityProvider = await startIdentityProvider();
	try {
		const gitlab = { ...identityProvider.gitlab, clientId: "isolation", clientSecret: "isolation-secret" };
		for (const { from, to, isRedis } of parts) {
			if (from >= to) continue;
			const redis = isRedis ? { url: redisURL, prefix: `isolation-input-${seed}:` } : undefined;
			try {
				await withApp({ source, gitlab, redis }, (app, database) =>
					attack({ app, database, from, to, tally, byTime, providerOrigin: identityProvider.gitlab.issuer }),
				);
			} finally {
				if (redis) await forgetKeys(redis);
			}
		}
		return tally.result();
	} finally {
		await identityProvider.close();
	}
};

const forgetKeys = async ({ url, prefix }: { url: string; prefix: string }): Promise<void> => {
	const client = new Redis(url);
	for await (const keys of client.scanStream({ match: `${prefix}*`, count: 1_000 })) {
		if (keys.length > 0) await client.del(...keys);
	}
	await client.quit();
};

type Settings = Pick<Parameters<typeof startApp>[0], "source" | "gitlab" | "redis">;

const withApp = async (
	settings: Settings,
	run: (app: RunningApp, database: Database) => Promise<void>,
): Promise<void> => {
	const database = await createDatabase();
	try {
		const app = await startApp({ databaseURL: database.url, hashing: "cheap", ...settings });
		try {
			await run(app, database);
		} finally {
			await app.stop();
		}
	} finally {
		await database.drop();
	}
};
