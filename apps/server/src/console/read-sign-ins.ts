import type { Pool } from "pg";
import { SIGN_IN_TABLE } from "../schema/console-tables.ts";

type Numbers = { succeeded: number; refused: number };

/** The sign-ins of a tenant: each day up to today (UTC), and each method. */
export type SignIns = { days: ({ day: string } & Numbers)[]; methods: ({ method: string } & Numbers)[] };

type Row = { day: string; method: string } & Numbers;

/** Reads the counts of one tenant. Days without a sign-in are 0. */
export const readSignIns = async (pool: Pick<Pool, "query">, tenantId: string, days: number): Promise<SignIns> => {
	const all = lastDays(days);
	const { rows } = await pool.query<Row>(
		`select to_char("day", 'YYYY-MM-DD') as "day", "method", "succeeded"::float8, "refused"::float8
		from "${SIGN_IN_TABLE}" where "tenantId" = $1 and "day" >= $2::date`,
		[tenantId, all[0]],
	);
	const methods = [...new Set(rows.map(({ method }) => method))].sort();
	return {
		days: all.map((day) => ({ day, ...sum(rows.filter((row) => row.day === day)) })),
		methods: methods.map((method) => ({ method, ...sum(rows.filter((row) => row.method === method)) })),
	};
};

const DAY = 86_400_000;

/** The last days, oldest first. */
const lastDays = (count: number, today = Date.now()): string[] =>
	Array.from({ length: count }, (_, index) => new Date(today - (count - 1 - index) * DAY).toISOString().slice(0, 10));

const sum = (rows: Numbers[]): Numbers => ({
	succeeded: rows.reduce((total, { succeeded }) => total + succeeded, 0),
	refused: rows.reduce((total, { refused }) => total + refused, 0),
});
