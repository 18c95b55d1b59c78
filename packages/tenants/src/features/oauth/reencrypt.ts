import type { Where } from "@better-auth/core/db/adapter";
import { defineService } from "../../engine/service.ts";
import type { RawAdapter } from "../../scope/data/raw-adapter.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import type { Seal, SealedPlace } from "./seal.ts";

/** What no secret decrypts: a tenant's credentials for a provider, or a row of one of Better Auth's own tables. */
export type Unreadable =
	| { tenantId: string; providerId: string }
	| { tenantId: string; table: EngineTableName; id: string };

/** Better Auth's tables with values that are encrypted with its secret. */
export type EngineTableName = "twoFactor" | "jwks" | "account" | "oauthClient";

/** What one batch did, and where the next one continues. */
export type ReencryptedBatch = {
	/** Rows that were read. */
	seen: number;
	/** Rows that are now encrypted with the current secret and were not before. */
	reencrypted: number;
	/** Rows that no secret decrypts. Register configs again. */
	unreadable: Unreadable[];
	/** Pass this as `after` to continue. Null when all are done. */
	next: string | null;
};

export type Reencrypt = ReturnType<typeof createReencrypt>;

/** Encrypts again what an earlier secret has encrypted. */
export const reencryptOf = defineService<Reencrypt>("reencrypt");

export type SealedRow = { id: string; tenantId: string } & Record<string, unknown>;

/** A table with encrypted values. */
export type SealedTable = {
	model: string;
	fields: readonly string[];
	/** the prefix of the table's cursors; ids contain no colon */
	mark: string;
	/** Encrypts a value again. Undefined if the current secret encrypted it or it is not encrypted, null if no secret decrypts it. */
	sealAgain: (row: SealedRow, field: string, value: string) => Promise<string | null | undefined>;
	describe: (row: SealedRow) => Unreadable;
};

/** The tables of tenants' own credentials: OAuth configs, and SSO providers if the SSO plugin is installed. */
export const credentialTables = (seal: Seal, hasSso: boolean): SealedTable[] => {
	const table = (model: string, fields: readonly SealedPlace["field"][], mark: string): SealedTable => ({
		model,
		fields,
		mark,
		sealAgain: async (row, field, value) => {
			// the platform's SSO providers keep the engine's own format
			if (row.tenantId === PLATFORM || seal.isCurrent(value)) return undefined;
			const place = {
				tenantId: row.tenantId,
				providerId: String(row.providerId),
				field: field as SealedPlace["field"],
			};
			const opened = await seal.open(place, value);
			return opened && seal.close(place, opened);
		},
		describe: (row) => ({ tenantId: row.tenantId, providerId: String(row.providerId) }),
	});
	return [
		table("tenantOauthConfig", ["clientId", "clientSecret", "options"], ""),
		...(hasSso ? [table("ssoProvider", ["oidcConfig", "samlConfig"], "sso:")] : []),
	];
};

/** Rows that are written in parallel. Sign-ins need connections of the pool too. */
const PARALLEL_ROWS = 4;

/**
 * Encrypts stored values again with the current secret, table by table, in batches ordered by id. Sign-ins keep working:
 * stored values can be decrypted before and after. A row that is changed meanwhile is not overwritten.
 */
export const createReencrypt =
	(adapter: RawAdapter, tables: readonly SealedTable[]) =>
	async (batch: { size: number; after: string | null }): Promise<ReencryptedBatch> => {
		const { table, following, after } = findPlace(tables, batch.after ?? "");
		const rows = await adapter.findMany<SealedRow>({
			model: table.model,
			...(after === "" ? {} : { where: [{ field: "id", value: after, operator: "gt" }] }),
			sortBy: { field: "id", direction: "asc" },
			limit: batch.size,
		});
		const done: ReencryptedBatch = { seen: rows.length, reencrypted: 0, unreadable: [], next: null };
		if (rows.length === batch.size) done.next = table.mark + (rows.at(-1)?.id ?? "");
		else if (following) done.next = following.mark;
		for (let at = 0; at < rows.length; at += PARALLEL_ROWS) {
			const outcomes = await Promise.all(
				rows.slice(at, at + PARALLEL_ROWS).map((row) => reencryptRow(adapter, table, row)),
			);
			for (const outcome of outcomes) {
				if (typeof outcome === "number") done.reencrypted += outcome;
				else done.unreadable.push(outcome);
			}
		}
		return done;
	};

/** The table of a cursor, the one that follows it, and the last id that was done. */
const findPlace = (tables: readonly SealedTable[], cursor: string) => {
	const marked = tables.findIndex(({ mark }) => mark !== "" && cursor.startsWith(mark));
	const at = Math.max(marked, 0);
	const [table, following] = tables.slice(at, at + 2);
	if (!table) throw new Error("tenantAuth: there is no table of OAuth configs");
	return { table, following, after: cursor.slice(table.mark.length) };
};

/** Returns the number of changed rows (0 or 1), or what cannot be decrypted. */
const reencryptRow = async (adapter: RawAdapter, table: SealedTable, row: SealedRow): Promise<number | Unreadable> => {
	const update: Record<string, string> = {};
	for (const field of table.fields) {
		const value = row[field];
		if (typeof value !== "string" || value === "") continue;
		const again = await table.sealAgain(row, field, value);
		if (again === null) return table.describe(row);
		if (again !== undefined) update[field] = again;
	}
	if (Object.keys(update).length === 0) return 0;
	const unchanged: Where[] = Object.keys(update).map((field) => ({
		field,
		value: row[field] as string,
		connector: "AND",
	}));
	return adapter.updateMany({ model: table.model, where: [{ field: "id", value: row.id }, ...unchanged], update });
};
