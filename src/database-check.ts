import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { readUniqueIndexes, type UniqueIndex } from "./database-driver.ts";
import { TENANT_AUTH_ERROR_CODES } from "./error-codes.ts";
import { FORBIDDEN_UNIQUE, REQUIRED_UNIQUES } from "./schema.ts";

const RECHECK_AFTER_MS = 1_000;

/**
 * Keeps tenants closed while the database cannot keep them apart: the old unique index on e-mail is still there (a
 * sign-up in one tenant would tell that the address exists in another), or our own unique indexes are missing.
 *
 * It closes tenants and not the engine: an application that is being migrated keeps serving the users it had, and the
 * engine's command line can load the configuration to migrate. It looks again until the database is right.
 */
export const createDatabaseCheck = (context: AuthContext, options: BetterAuthOptions) => {
	let open = false;
	let running: Promise<string[]> | null = null;
	let lastRun = 0;

	const look = async (): Promise<string[]> => {
		lastRun = Date.now();
		const complaints = await findComplaints(context, options);
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

const findComplaints = async ({ tables, logger }: AuthContext, options: BetterAuthOptions): Promise<string[]> => {
	const nameOf = (table: string) => tables[table]?.modelName ?? table;
	const columnOf = (table: string, field: string) => tables[table]?.fields[field]?.fieldName ?? field;
	const complaints: string[] = [];
	for (const { table, fields } of REQUIRED_UNIQUES) {
		const indexes = await readUniqueIndexes(options.database, nameOf(table));
		if (indexes === null) {
			logger.warn("tenantAuth cannot see this database's indexes. See that they are as docs/database.md lists them.");
			return [];
		}
		const columns = fields.map((field) => columnOf(table, field));
		if (!indexes.some((index) => covers(index, columns))) {
			complaints.push(
				`${nameOf(table)} has no unique index on (${columns.join(", ")}). Run the engine's migration, then see docs/database.md.`,
			);
		}
	}
	const old = await readUniqueIndexes(options.database, nameOf(FORBIDDEN_UNIQUE.table));
	const leftover = old?.find((index) => covers(index, [...FORBIDDEN_UNIQUE.fields]));
	if (leftover) {
		complaints.push(
			`${nameOf("user")} still has the unique index ${leftover.name} on e-mail alone. Drop it as docs/database.md shows; migrations do not.`,
		);
	}
	return complaints;
};

const covers = (index: UniqueIndex, columns: string[]): boolean =>
	index.columns.length === columns.length && columns.every((column) => index.columns.includes(column));
