import type { AuthContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { readUniqueIndexes, type UniqueIndex } from "./database-driver.ts";
import { TENANT_AUTH_ERROR_CODES } from "./error-codes.ts";
import { DERIVED_PREFIX, isGlobalTable } from "./scope/tables.ts";
import type { UnscopedAdapter } from "./scope/unscoped.ts";

const RECHECK_AFTER_MS = 1_000;

type CheckWith = { context: AuthContext; adapter: UnscopedAdapter; trustIndexes: boolean };

/**
 * Keeps tenants closed while the database cannot keep them apart: an old unique index is still there (a sign-up in
 * one tenant would tell that the address exists in another), or our own unique indexes are missing.
 *
 * It closes tenants and not the engine: an application that is being migrated keeps serving the users it had, and the
 * engine's command line can load the configuration to migrate. It looks again until the database is right.
 */
export const createDatabaseCheck = (parts: CheckWith) => {
	const { context } = parts;
	let open = false;
	let running: Promise<string[]> | null = null;
	let lastRun = 0;

	const look = async (): Promise<string[]> => {
		lastRun = Date.now();
		const complaints = await findComplaints(parts);
		open = complaints.length === 0;
		for (const complaint of complaints) context.logger.error(`tenantAuth keeps tenants closed: ${complaint}`);
		return complaints;
	};

	return async (): Promise<void> => {
		if (open) return;
		if (!running || Date.now() - lastRun > RECHECK_AFTER_MS) {
			const started = look();
			running = started;
			// a database that cannot be asked is asked again by the next request
			started.catch(() => {
				if (running === started) running = null;
			});
		}
		if ((await running).length > 0) throw APIError.from("SERVICE_UNAVAILABLE", TENANT_AUTH_ERROR_CODES.TENANTS_CLOSED);
	};
};

type Table = AuthContext["tables"][string];

const findComplaints = async (parts: CheckWith): Promise<string[]> => {
	const { context, adapter, trustIndexes } = parts;
	// nothing in memory is unique; the engine's own memory database is for trying things out
	if (trustIndexes || context.adapter.id === "memory") return [];
	const complaints: string[] = [];
	for (const [key, table] of Object.entries(context.tables)) {
		if (table.disableMigrations) continue;
		const indexes = await readUniqueIndexes(context.options.database, table.modelName);
		if (indexes === null) {
			return [
				`the unique indexes of this database cannot be seen from here (adapter "${context.adapter.id}"). See that they are as docs/database.md lists them, then say so with trustDatabaseIndexes: true.`,
			];
		}
		complaints.push(...compareIndexes(table, indexes));
		if (!isGlobalTable(key)) complaints.push(...(await findUnfilled(adapter, key, table)));
	}
	return complaints;
};

/** Our own unique indexes must be there, and none that spans all tenants may be left over. */
const compareIndexes = (table: Table, found: UniqueIndex[]): string[] => {
	const columnOf = (field: string) => table.fields[field]?.fieldName ?? field;
	const wanted = [
		...(table.indexes ?? []).filter(({ unique }) => unique).map(({ fields }) => fields.map(columnOf)),
		...Object.entries(table.fields).flatMap(([field, { unique }]) => (unique ? [[columnOf(field)]] : [])),
	];
	const missing = wanted
		.filter((columns) => !found.some((index) => !index.partial && covers(index, columns)))
		.map(
			(columns) =>
				`${table.modelName} has no unique index on (${columns.join(", ")}). Run the engine's migration, then see docs/database.md.`,
		);
	const tenantColumn = table.fields.tenantId && columnOf("tenantId");
	const leftover = found
		.filter(
			({ columns }) => tenantColumn !== undefined && !columns.includes(tenantColumn) && !covers({ columns }, ["id"]),
		)
		.filter((index) => !wanted.some((columns) => covers(index, columns)))
		.map(
			({ name, columns }) =>
				`${table.modelName} still has the unique index ${name} on (${columns.join(", ")}), which spans all tenants. Drop it as docs/database.md shows; migrations do not.`,
		);
	return [...missing, ...leftover];
};

/** Rows from before the plugin was composed have no value in the column that keeps a nullable field unique. */
const findUnfilled = async (
	adapter: Pick<UnscopedAdapter, "findOne">,
	key: string,
	table: Table,
): Promise<string[]> => {
	const complaints: string[] = [];
	for (const derived of Object.keys(table.fields).filter((field) => field.startsWith(DERIVED_PREFIX))) {
		const field = derived.slice(DERIVED_PREFIX.length);
		const row = await adapter.findOne({
			model: key,
			where: [
				{ field, operator: "ne", value: null },
				{ field: derived, value: null, connector: "AND" },
			],
			select: ["id"],
		});
		if (row)
			complaints.push(
				`${table.modelName}.${derived} is empty where ${field} is not. Fill it as docs/database.md shows.`,
			);
	}
	return complaints;
};

const covers = (index: Pick<UniqueIndex, "columns">, columns: string[]): boolean =>
	index.columns.length === columns.length && columns.every((column) => index.columns.includes(column));
