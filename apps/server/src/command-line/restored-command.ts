import type { Command } from "commander";
import { JSON_OPTION } from "./client-command.ts";
import { CommandError } from "./command-error.ts";
import { confirm } from "./confirm.ts";
import { createOutput } from "./output.ts";

type Options = { endSessions?: boolean; yes?: boolean; json?: boolean };

/** `restored` */
export const addRestored = (program: Command): void => {
	program
		.command("restored")
		.description(
			"After you restored the database: remove what this server keeps in Redis. Nobody is signed out whose session is in the database",
		)
		.option("--end-sessions", "also end all sessions of all users, because the backup may contain revoked ones")
		.option("--yes", "skip the confirmation of --end-sessions")
		.option(...JSON_OPTION)
		.addHelpText("after", "\nExample:\n  $ tenants restored --end-sessions")
		.action(async ({ endSessions = false, yes = false, ...options }: Options) => {
			if (endSessions && !yes) await confirm("This signs out every user of every tenant.");
			const done = await cleanUp(endSessions);
			await createOutput(options).result(done, say(done));
		});
};

type Done = {
	/** null if they were kept */
	endedSessions: number | null;
	/** null without Redis */
	removedKeys: number | null;
};

const cleanUp = async (endSessions: boolean): Promise<Done> => {
	const { readConfig } = await import("../config/config.ts");
	const { createLogger } = await import("../observe/logger.ts");
	const config = readConfig(process.env);
	const logger = createLogger({ logLevel: "silent" });
	// first in the database, so that nothing of it gets into Redis afterwards
	const endedSessions = endSessions ? await inDatabase(config, logger) : null;
	return { endedSessions, removedKeys: config.redis ? await inRedis(config.redis, logger) : null };
};

type Config = ReturnType<typeof import("../config/config.ts").readConfig>;
type Logger = ReturnType<typeof import("../observe/logger.ts").createLogger>;

const inDatabase = async (config: Config, logger: Logger): Promise<number> => {
	const { createPool } = await import("../database/pool.ts");
	const { endAllSessions } = await import("../database/end-sessions.ts");
	const pool = createPool(config.database, logger);
	try {
		return await endAllSessions(pool);
	} catch (cause) {
		throw new CommandError("DATABASE_FAILED", "The sessions in the database could not be ended", {
			fix: "Run `tenants doctor`, then run this command again.",
			cause,
		});
	} finally {
		await pool.end();
	}
};

const inRedis = async (redis: NonNullable<Config["redis"]>, logger: Logger): Promise<number> => {
	const { createRedis } = await import("../redis/client.ts");
	const { dropKeys } = await import("../redis/drop-keys.ts");
	const client = createRedis(redis, logger);
	try {
		return await dropKeys(client, redis.keyPrefix);
	} catch (cause) {
		throw new CommandError("REDIS_FAILED", "The keys in Redis could not be removed", {
			fix: "Run `tenants doctor`, then run this command again. Do not start the server before it succeeds.",
			cause,
		});
	} finally {
		client.disconnect();
	}
};

const say = ({ endedSessions, removedKeys }: Done): string =>
	[
		...(endedSessions === null ? [] : [`Ended ${endedSessions} sessions`]),
		removedKeys === null ? "Redis is not configured" : `Removed ${removedKeys} keys from Redis`,
	].join("\n");
