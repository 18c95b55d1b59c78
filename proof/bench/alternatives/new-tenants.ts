import { Pool } from "pg";
import { startEngine } from "../stage/engine.ts";
import { type Spread, spreadOf } from "../stage/statistics.ts";
import { migrate } from "./contestants.ts";

export type NewTenants = {
	/** of each kind */
	made: number;
	/** `POST /tenant/create` */
	rowMs: Spread;
	/** a schema with the engine's tables, which each tenant needs with a separate engine and data */
	schemaMs: Spread;
	tablesPerSchema: number;
};

/**
 * Measures, in turns, how long it takes until a new tenant can sign up a user: with a row, and with a separate schema.
 */
export const measureNewTenants = async (postgres: string, made: number): Promise<NewTenants> => {
	const ours = await startEngine({ postgres, database: "new_tenants", tenants: {}, hashing: "cheap" });
	const rowMs: number[] = [];
	const schemaMs: number[] = [];
	let tablesPerSchema = 0;
	try {
		// the first of each compiles and connects
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
