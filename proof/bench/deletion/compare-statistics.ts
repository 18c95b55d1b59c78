import { startPostgres } from "test-kit/servers/postgres-server";
import { startEngine } from "../stage/engine.ts";
import { median, round } from "../stage/statistics.ts";
import { countRows, fillTenant, startTenant, stopAutovacuum } from "./fill-tenant.ts";
import type { StatisticsResult } from "./result.ts";

type Sizes = { users: number; rounds: number; log: (line: string) => void };

const OTHER_TENANTS = 20;

/** Deletes large tenants in turns: with statistics that know their rows, and with older ones. */
export const compareStatistics = async ({ users, rounds, log }: Sizes): Promise<StatisticsResult> => {
	const postgres = await startPostgres({ settings: { shared_buffers: "1GB", max_wal_size: "8GB" } });
	try {
		const engine = await startEngine({
			postgres: postgres.url,
			database: "deletion",
			hashing: "cheap",
			tenants: { deletion: { drainTime: 0 } },
		});
		try {
			const { pool } = engine;
			await stopAutovacuum(pool);
			for (let number = 0; number < OTHER_TENANTS; number += 1)
				await fillTenant(pool, await startTenant(engine, `other-${number}`), users / OTHER_TENANTS);
			const seconds: StatisticsResult["seconds"] = { fresh: [], stale: [] };
			let left = 0;
			/** Round 0 compiles everything and is not counted. */
			const measure = async (round: number, kind: "fresh" | "stale"): Promise<void> => {
				const tenantId = await startTenant(engine, `${kind}-${round}`);
				// without the rows of earlier rounds, and of this tenant
				await pool.query("vacuum analyze");
				await fillTenant(pool, tenantId, round === 0 ? Math.min(users, 1_000) : users);
				if (kind === "fresh") await pool.query("analyze");
				await pool.query("checkpoint");
				const began = performance.now();
				await engine.call("/tenant/delete", { operator: true, body: { tenantId } });
				const spent = (performance.now() - began) / 1000;
				left += await countRows(pool, tenantId);
				if (round === 0) return;
				seconds[kind].push(Number(spent.toFixed(2)));
				log(`deletion of ${users} users with ${kind} statistics: ${spent.toFixed(1)} s`);
			};
			for (let number = 0; number <= rounds; number += 1)
				for (const kind of number % 2 === 0 ? (["fresh", "stale"] as const) : (["stale", "fresh"] as const))
					await measure(number, kind);
			const ratio = round(median(seconds.stale) / median(seconds.fresh), 2);
			return { users, otherUsers: users, seconds, ratio, left };
		} finally {
			await engine.close();
		}
	} finally {
		await postgres.close();
	}
};
