import type { Outcome } from "test-kit/results/outcome";
import { startPostgres } from "test-kit/servers/postgres-server";
import type { RunOptions } from "../part.ts";
import { judgeBulk } from "./judge.ts";
import { OTHERS } from "./measure-step.ts";
import { moveTenant } from "./move-tenant.ts";
import { BATCH } from "./person.ts";
import type { BulkResult } from "./result.ts";
import { openStage } from "./stage.ts";

/** Imports, exports and deletes a tenant with many users, and measures speed, memory and the effect on others. */
export const runBulk = async ({ full, log }: RunOptions): Promise<Outcome<BulkResult>> => {
	const size = full
		? { users: 100_000, foreignSessions: 250_000, idleSeconds: 30, memoryEveryMs: 1_000 }
		: { users: 2_000, foreignSessions: 5_000, idleSeconds: 3, memoryEveryMs: 250 };
	const moves: BulkResult["moves"] = [];
	for (const sessionsIn of ["the database", "Redis"] as const) {
		const postgres = await startPostgres({ settings: { shared_buffers: "512MB", max_wal_size: "4GB" } });
		try {
			const stage = await openStage(postgres.url, {
				inRedis: sessionsIn === "Redis",
				foreignSessions: size.foreignSessions,
			});
			try {
				// compiles and connects everything before measuring
				await moveTenant(stage, { users: BATCH, name: "warm-up", idleSeconds: 1, memoryEveryMs: 250, log: () => {} });
				const move = await moveTenant(stage, { ...size, name: "bulk", log });
				moves.push({ sessionsIn, foreignKeys: stage.foreignKeys, ...move });
			} finally {
				await stage.close();
			}
		} finally {
			await postgres.close();
		}
	}
	const result = { users: size.users, batch: BATCH, others: OTHERS, moves };
	return { result, ...judgeBulk(result) };
};
