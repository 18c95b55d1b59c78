import type { Command } from "commander";
import type { Swept } from "../sweep/sweep.ts";
import { JSON_OPTION } from "./client-command.ts";
import { CommandError } from "./command-error.ts";
import { createOutput } from "./output.ts";

/** Rows between two notes about the progress. */
const NOTE_EVERY = 10_000;

/** `sweep` */
export const addSweep = (program: Command): void => {
	program
		.command("sweep")
		.description(
			"Delete expired sessions, codes and tokens of all tenants, and old counts and events. serve does it too, by SWEEP_SCHEDULE",
		)
		.option(...JSON_OPTION)
		.addHelpText("after", "\nExample:\n  $ tenants sweep")
		.action(async (options: { json?: boolean }) => {
			const output = createOutput(options);
			const { readConfig } = await import("../config/config.ts");
			const { createPool } = await import("../database/pool.ts");
			const { createLogger } = await import("../observe/logger.ts");
			const { SWEPT, sweep } = await import("../sweep/sweep.ts");
			const { database } = readConfig(process.env);
			const pool = createPool({ ...database, poolSize: 1 }, createLogger({ logLevel: "silent" }));
			const swept = Object.fromEntries(SWEPT.map((what) => [what, 0])) as Record<Swept, number>;
			try {
				await sweep({
					pool,
					onSwept: (what, rows) => {
						const before = swept[what];
						swept[what] += rows;
						if (Math.floor(before / NOTE_EVERY) < Math.floor(swept[what] / NOTE_EVERY))
							output.note(`${what}: ${swept[what]} so far`);
					},
				});
			} catch (error) {
				throw await explain(error);
			} finally {
				await pool.end();
			}
			await output.result({ swept }, SWEPT.map((what) => `${what.padEnd(20)} ${swept[what]} deleted`).join("\n"));
		});
};

const explain = async (error: unknown): Promise<unknown> => {
	const { describeFailure } = await import("../doctor/failure.ts");
	const { says, fix, isKnown } = describeFailure(error);
	if (isKnown) return new CommandError("DATABASE_UNAVAILABLE", `PostgreSQL: ${says}`, { fix, cause: error });
	const reason = error instanceof Error ? error.message : "unknown";
	return new CommandError("SWEEP_FAILED", reason, {
		fix: "Run `tenants migrate` first, then `tenants sweep` again. What was deleted stays deleted.",
		cause: error,
	});
};
