import type { Where } from "@better-auth/core/db/adapter";
import { PLATFORM } from "../scope/platform.ts";
import type { RawAdapter } from "../scope/raw-adapter.ts";
import type { Seal, SealedPlace } from "./seal.ts";

/** What one batch did, and where the next one continues. */
export type ResealedBatch = {
	/** Configs that were read. */
	seen: number;
	/** Configs that are now encrypted with the current secret and were not before. */
	resealed: number;
	/** Configs that no secret decrypts. Register them again. */
	unreadable: { tenantId: string; providerId: string }[];
	/** Pass this as `after` to continue. Null when all are done. */
	next: string | null;
};

export type Reseal = ReturnType<typeof createReseal>;

type SealedRow = { id: string; tenantId: string; providerId: string } & Partial<
	Record<SealedPlace["field"], string | null>
>;

/** A table with encrypted values. `mark` is the prefix of the table's cursors; ids contain no colon. */
type SealedTable = { model: string; fields: readonly SealedPlace["field"][]; mark: string };

const OAUTH_CONFIGS: SealedTable = {
	model: "tenantOauthConfig",
	fields: ["clientId", "clientSecret", "options"],
	mark: "",
};
const SSO_PROVIDERS: SealedTable = { model: "ssoProvider", fields: ["oidcConfig", "samlConfig"], mark: "sso:" };

/** Rows that are written in parallel. Sign-ins need connections of the pool too. */
const PARALLEL_ROWS = 4;

/**
 * Encrypts stored credentials again with the current secret, in batches ordered by id: OAuth configs first, then SSO
 * providers if the SSO plugin is installed. Sign-ins keep working: stored values can be decrypted before and after. A
 * config that is registered meanwhile is not overwritten.
 */
export const createReseal =
	(adapter: RawAdapter, seal: Seal, hasSso: boolean) =>
	async (batch: { size: number; after: string | null }): Promise<ResealedBatch> => {
		const table = batch.after?.startsWith(SSO_PROVIDERS.mark) ? SSO_PROVIDERS : OAUTH_CONFIGS;
		const after = batch.after?.slice(table.mark.length) || null;
		const rows = await adapter.findMany<SealedRow>({
			model: table.model,
			...(after === null ? {} : { where: [{ field: "id", value: after, operator: "gt" }] }),
			sortBy: { field: "id", direction: "asc" },
			limit: batch.size,
		});
		const done: ResealedBatch = { seen: rows.length, resealed: 0, unreadable: [], next: null };
		if (rows.length === batch.size) done.next = table.mark + (rows.at(-1)?.id ?? "");
		else if (table === OAUTH_CONFIGS && hasSso) done.next = SSO_PROVIDERS.mark;
		for (let at = 0; at < rows.length; at += PARALLEL_ROWS) {
			const outcomes = await Promise.all(
				rows.slice(at, at + PARALLEL_ROWS).map((row) => resealRow({ adapter, seal, table }, row)),
			);
			for (const outcome of outcomes) {
				if (typeof outcome === "number") done.resealed += outcome;
				else done.unreadable.push(outcome);
			}
		}
		return done;
	};

type ResealWith = { adapter: RawAdapter; seal: Seal; table: SealedTable };

/** Returns the number of changed rows (0 or 1), or the provider whose credentials cannot be decrypted. */
const resealRow = async (
	{ adapter, seal, table }: ResealWith,
	row: SealedRow,
): Promise<number | ResealedBatch["unreadable"][number]> => {
	// the platform's SSO providers keep the engine's own format
	if (row.tenantId === PLATFORM) return 0;
	if (table.fields.every((field) => !row[field] || seal.isCurrent(row[field]))) return 0;
	const update = await sealFields(seal, table, row);
	if (!update) return { tenantId: row.tenantId, providerId: row.providerId };
	const unchanged: Where[] = Object.keys(update).map((field) => ({
		field,
		value: row[field as SealedPlace["field"]] ?? null,
		connector: "AND",
	}));
	return adapter.updateMany({ model: table.model, where: [{ field: "id", value: row.id }, ...unchanged], update });
};

const sealFields = async (seal: Seal, table: SealedTable, row: SealedRow): Promise<Record<string, string> | null> => {
	const update: Record<string, string> = {};
	for (const field of table.fields) {
		const sealed = row[field];
		if (!sealed) continue;
		const place: SealedPlace = { tenantId: row.tenantId, providerId: row.providerId, field };
		const opened = await seal.open(place, sealed);
		if (!opened) return null;
		update[field] = await seal.close(place, opened);
	}
	return update;
};
