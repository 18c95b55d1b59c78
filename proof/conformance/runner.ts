import { setTimeout as sleep } from "node:timers/promises";
import { catalogue } from "./catalogue.ts";
import { NotObservable, type World } from "./check.ts";
import { type StatementId, statementIds } from "./statements.ts";

export type Result = { outcome: "passed" } | { outcome: "deviates" | "failed" | "notObservable"; reason: string };

const TIME_LIMIT = 120_000;

/** Runs several checks at a time. Each creates its own tenants, so their order does not matter. */
export const runChecks = async (
	name: string,
	world: World,
	{ only, parallel }: { only: string[]; parallel: number },
): Promise<Map<StatementId, Result>> => {
	const ids = statementIds.filter((id) => only.length === 0 || only.includes(id));
	const results = new Map<StatementId, Result>();
	const waiting = [...ids];
	const work = async () => {
		for (let id = waiting.shift(); id; id = waiting.shift()) {
			const result = await runCheck(id, world);
			results.set(id, result);
			if (result.outcome === "failed") console.log(`  ${id} failed: ${result.reason}`);
			if (results.size % 20 === 0 || results.size === ids.length)
				console.log(`  ${name}: ${results.size} of ${ids.length}`);
		}
	};
	await Promise.all(Array.from({ length: parallel }, work));
	return results;
};

const runCheck = async (id: StatementId, world: World): Promise<Result> => {
	const limit = new AbortController();
	try {
		const late = sleep(TIME_LIMIT, undefined, { signal: limit.signal }).then(() => {
			throw new Error(`took longer than ${TIME_LIMIT / 1000} s`);
		});
		const { run, deviation } = catalogue[id];
		await Promise.race([run(world), late]);
		return deviation === undefined ? { outcome: "passed" } : { outcome: "deviates", reason: deviation };
	} catch (cause: unknown) {
		const reason = cause instanceof Error ? cause.message : String(cause);
		return { outcome: cause instanceof NotObservable ? "notObservable" : "failed", reason };
	} finally {
		limit.abort();
	}
};
