import { rollWith } from "../model/roll.ts";
import { compare } from "./compare.ts";
import {
	kyselyOnPostgres,
	kyselyOnSqlite,
	type Lane,
	type LaneOptions,
	prismaOnPostgres,
	rowSecurityOnPostgres,
} from "./lanes.ts";

type LaneName = "Kysely, SQLite" | "Kysely, PostgreSQL" | "Prisma, PostgreSQL" | "row-level security, PostgreSQL";

/** What limits the rows, and its percentage of the queries. */
const LANES: { name: LaneName; share: number; open: (options: LaneOptions) => Promise<Lane> }[] = [
	{ name: "Kysely, SQLite", share: 70, open: kyselyOnSqlite },
	{ name: "Kysely, PostgreSQL", share: 10, open: kyselyOnPostgres },
	{ name: "Prisma, PostgreSQL", share: 12, open: prismaOnPostgres },
	{ name: "row-level security, PostgreSQL", share: 8, open: rowSecurityOnPostgres },
];

/** A hole that so many queries do not find would not be found by more. */
const CONTROL_QUERIES = 400;

type LaneResult = {
	name: string;
	queries: number;
	same: number;
	refused: number;
	failed: number;
	wrong: string[];
	byKind: Record<string, number>;
	/** after how many queries the planted hole was found; null if it was not */
	holeFoundAfter: number | null;
};

export type RowsResult = { seed: number; lanes: LaneResult[] };

type RunOptions = { queries: number; seed: number; only?: LaneName[]; log: (line: string) => void };

/** Sends random queries to the rows of all tenants, and compares with a copy that has the rows of one. */
export const runRows = async ({ queries, seed, only, log }: RunOptions): Promise<RowsResult> => {
	const chosen = LANES.filter((lane) => only?.includes(lane.name) ?? true);
	const lanes = await Promise.all(
		chosen.map(async ({ name, share, open }): Promise<LaneResult> => {
			const count = Math.ceil((queries * share) / 100);
			const result = await attack(await open({ isHoled: false }), count, seed, (line) => log(`${name}: ${line}`));
			const holed = await attack(await open({ isHoled: true }), CONTROL_QUERIES, seed, () => {}, 1);
			return { name, ...result, holeFoundAfter: holed.wrong.length > 0 ? holed.queries : null };
		}),
	);
	return { seed, lanes };
};

const attack = async (lane: Lane, count: number, seed: number, log: (line: string) => void, enough = 20) => {
	const found = {
		queries: 0,
		same: 0,
		refused: 0,
		failed: 0,
		wrong: [] as string[],
		byKind: {} as Record<string, number>,
	};
	try {
		while (found.queries < count && found.wrong.length < enough) {
			const one = (seed + found.queries * 7919) | 0;
			const query = lane.next(() => rollWith(one));
			const { outcome, wrong } = await compare(query, lane.full, lane.copy);
			found.queries += 1;
			found[outcome] += 1;
			found.byKind[query.kind] = (found.byKind[query.kind] ?? 0) + 1;
			if (wrong) found.wrong.push(`query ${one}: ${wrong}`);
			if (found.queries % 2_000 === 0) log(`${found.queries} of ${count}`);
		}
	} finally {
		await lane.close();
	}
	return found;
};
