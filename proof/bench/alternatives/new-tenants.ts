import { Pool } from "pg";
import { startEngine } from "../stage/engine.ts";
import { type Spread, spreadOf } from "../stage/statistics.ts";
import { migrate } from "./contestants.ts";

export type NewTenants = {
	/** of each kind */
	made: number;
	/** `POST /tenant/create` */
	rowMs: Spread;
	/** a schema with the engine's tables, as each tenant needs one where every tenant has an engine and data of its own */
	schemaMs: Spread;
	tablesPerSchema: number;
};

/** What it takes until a new tenant can sign somebody up, in turn: a row of ours, and a schema of its own. */
export const measureNewTenants = async (postgres: string, made: number): Promise<NewTenants> => {
	const ours = await startEngine({ postgres, database: "new_tenants", tenants: {}, hashing: "cheap" });
	const rowMs: number[] = [];
	const schemaMs: number[] = [];
	let tablesPerSchema = 0;
	try {
		// the first of both compile and connect
		for (let number = 0; number <= made; number += 1) {
			const began = performance.now();
			await ours.newTenant(`tenant-${number}`);
			const then = performance.now();
			tablesPerSchema = await makeSchema(postgres, `tenant_${number}`);
			if (number === 0) continue;
			rowMs.push(then - began);
			schemaMs.push(performance.now() - then);
		}
	} finally {
		await ours.close();
	}
	return { made, rowMs: spreadOf(rowMs, 2), schemaMs: spreadOf(schemaMs, 1), tablesPerSchema };
};

const makeSchema = async (postgres: string, schema: string): Promise<number> => {
	const pool = new Pool({ connectionString: postgres, max: 2, options: `-c search_path=${schema}` });
	try {
		await pool.query(`create schema ${schema}`);
		await migrate({ database: pool, emailAndPassword: { enabled: true } });
		const { rows } = await pool.query<{ tables: number }>(
			"select count(*)::int as tables from information_schema.tables where table_schema = $1",
			[schema],
		);
		return rows[0]?.tables ?? 0;
	} finally {
		await pool.end();
	}
};
