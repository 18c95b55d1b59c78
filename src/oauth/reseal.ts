import type { UnscopedAdapter } from "../scope/unscoped.ts";
import type { OauthConfigRow } from "./oauth-config.ts";
import type { Seal, SealedPlace } from "./seal.ts";

/** What one batch did, and where the next one goes on. */
export type ResealedBatch = {
	/** configs that were looked at */
	seen: number;
	/** configs that are now sealed with the current secret and were not before */
	resealed: number;
	/** configs that no secret opens; register them again */
	unreadable: { tenantId: string; providerId: string }[];
	/** give this as `after` to go on; null when all are done */
	next: string | null;
};

export type Reseal = ReturnType<typeof createReseal>;

const FIELDS = ["clientId", "clientSecret", "options"] as const;

/** Rows that are written at once: sign-ins need connections of the pool too. */
const AT_ONCE = 4;

/**
 * Seals stored credentials anew with the current secret, a batch at a time in the order of ids. Sign-ins go on
 * meanwhile: what is stored opens before and after, and a config that somebody registers in between keeps his.
 */
export const createReseal =
	(adapter: UnscopedAdapter, seal: Seal) =>
	async (batch: { size: number; after: string | null }): Promise<ResealedBatch> => {
		const rows = await adapter.findMany<OauthConfigRow>({
			model: "tenantOauthConfig",
			...(batch.after === null ? {} : { where: [{ field: "id", value: batch.after, operator: "gt" }] }),
			sortBy: { field: "id", direction: "asc" },
			limit: batch.size,
		});
		const done: ResealedBatch = {
			seen: rows.length,
			resealed: 0,
			unreadable: [],
			next: rows.length < batch.size ? null : (rows.at(-1)?.id ?? null),
		};
		for (let at = 0; at < rows.length; at += AT_ONCE) {
			const outcomes = await Promise.all(rows.slice(at, at + AT_ONCE).map((row) => resealRow(adapter, seal, row)));
			for (const outcome of outcomes) {
				if (typeof outcome === "number") done.resealed += outcome;
				else done.unreadable.push(outcome);
			}
		}
		return done;
	};

/** How many rows it changed (one, or none where there was nothing to do), or whose credentials do not open. */
const resealRow = async (
	adapter: UnscopedAdapter,
	seal: Seal,
	row: OauthConfigRow,
): Promise<number | ResealedBatch["unreadable"][number]> => {
	if (FIELDS.every((field) => !row[field] || seal.isCurrent(row[field]))) return 0;
	const update = await sealAnew(seal, row);
	if (!update) return { tenantId: row.tenantId, providerId: row.providerId };
	const unchanged = [
		{ field: "id", value: row.id },
		{ field: "clientSecret", value: row.clientSecret, connector: "AND" as const },
	];
	return adapter.updateMany({ model: "tenantOauthConfig", where: unchanged, update });
};

const sealAnew = async (seal: Seal, row: OauthConfigRow): Promise<Record<string, string> | null> => {
	const update: Record<string, string> = {};
	for (const field of FIELDS) {
		const sealed = row[field];
		if (!sealed) continue;
		const place: SealedPlace = { tenantId: row.tenantId, providerId: row.providerId, field };
		const opened = await seal.open(place, sealed);
		if (!opened) return null;
		update[field] = await seal.close(place, opened);
	}
	return update;
};
