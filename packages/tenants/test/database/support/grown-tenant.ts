import { Client, Pool } from "pg";
import { onTestFinished } from "vitest";
import type { Sent } from "./record-statements.ts";

/** Many times the rows of a batch. */
const USERS = 4_000;

type Grown = {
	/** the tenant whose users the statistics know */
	known: string;
	/** the tenant that has grown since */
	grown: string;
	/** how the columns are written: an ORM may use other names than the engine */
	column?: (name: string) => string;
};

/** Gives two tenants thousands of users each. PostgreSQL's statistics know those of one only. Returns their number. */
export const growUnnoticed = async (
	query: (sql: string) => Promise<unknown>,
	{ known, grown, column = (name) => name }: Grown,
): Promise<number> => {
	const columns = ["id", "name", "email", "emailVerified", "createdAt", "updatedAt", "tenantId"];
	const add = (tenant: string): Promise<unknown> =>
		query(
			`insert into "user" (${columns.map((name) => `"${column(name)}"`).join(", ")})
			select md5('${tenant}' || n), 'Ada', n || '@example.com', false, now(), now(), '${tenant}' from generate_series(1, ${USERS}) n`,
		);
	await query('alter table "user" set (autovacuum_enabled = false)');
	await add(known);
	await query('analyze "user"');
	await add(grown);
	return USERS;
};

/** Lets statements read a table, and not write it, until it is released. */
export const holdTable = async (connection: unknown, table: string) => {
	if (!(connection instanceof Pool)) throw new Error("A table is held on PostgreSQL");
	const client = new Client({ connectionString: connection.options.connectionString });
	await client.connect();
	onTestFinished(() => client.end());
	await client.query("begin");
	await client.query(`lock table "${table}" in share mode`);
	return { client, release: () => client.query("rollback") };
};

type Node = { "Node Type": string; "Index Name"?: string; "Rows Removed by Filter"?: number; Plans?: Node[] };

type Plan = {
	/** the indexes that it uses, or the type of a scan without one */
	by: string[];
	/** rows that it reads and does not need */
	discarded: number;
};

/** What a statement reads to find its rows, which is equal on every machine. Runs it in a transaction, and undoes it. */
export const planOf = async (client: Client, { text, values }: Sent): Promise<Plan> => {
	await client.query("savepoint before");
	// the tables of a test are so small that reading all of one would be cheapest
	await client.query("set local enable_seqscan = off");
	const { rows } = await client.query<{ "QUERY PLAN": { Plan: Node }[] }>(
		`explain (analyze, timing off, format json) ${text}`,
		values,
	);
	await client.query("rollback to savepoint before");
	const nodes = rows[0]?.["QUERY PLAN"].flatMap(({ Plan }) => nodesIn(Plan)) ?? [];
	return {
		by: nodes.flatMap((node) => node["Index Name"] ?? (/Seq Scan/.test(node["Node Type"]) ? node["Node Type"] : [])),
		discarded: nodes.reduce((sum, node) => sum + (node["Rows Removed by Filter"] ?? 0), 0),
	};
};

const nodesIn = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesIn)];
