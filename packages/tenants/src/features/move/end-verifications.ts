import type { SecondaryStorage } from "@better-auth/core/db";
import type { Where } from "@better-auth/core/db/adapter";
import { defineService } from "../../engine/service.ts";
import { findKeys } from "../../scope/data/key-scan.ts";
import type { RawAdapter } from "../../scope/data/raw-adapter.ts";
import { storageKey, VERIFICATION } from "../../scope/data/storage.ts";
import type { Claims, Verification } from "./claimed-verifications.ts";
import { ALL, inTenant, oneOf } from "./moving-rows.ts";
import { inGroups, parseJson } from "./stored-values.ts";

type EndWith = {
	adapter: Pick<RawAdapter, "findMany" | "deleteMany">;
	storage: SecondaryStorage | undefined;
	/** whether the database has the table; with a storage it may not */
	hasTable: boolean;
};

type StoredVerification = Verification & { id: string };

const PAGE = 1000;

export type VerificationEnd = ReturnType<typeof createVerificationEnd>;

/** Ends verifications of users. */
export const verificationEndOf = defineService<VerificationEnd>("verifications");

/** Deletes the verifications of users in a tenant, in the database and in the storage. */
export const createVerificationEnd = ({ adapter, storage, hasTable }: EndWith) => {
	const remove = async (from: string, claims: Claims, found: StoredVerification[]): Promise<number> => {
		const ids = found.filter(claims.isClaimed).map(({ id }) => id);
		if (ids.length === 0) return 0;
		return adapter.deleteMany({ model: "verification", where: inTenant(from, oneOf("id", ids)) });
	};

	const find = (from: string, where: Where[], limit = ALL) =>
		adapter.findMany<StoredVerification>({
			model: "verification",
			where: inTenant(from, ...where),
			sortBy: { field: "id", direction: "asc" },
			limit,
		});

	return {
		/** Ends those that a look-up finds: one-time passwords, reset tokens, trusted devices. For a transaction. */
		known: async (from: string, claims: Claims): Promise<void> => {
			if (!hasTable) return;
			for (const [field, values] of [
				["identifier", claims.identifiers],
				["value", claims.values],
			] as const)
				if (values.length > 0) await remove(from, claims, await find(from, [oneOf(field, [...values])]));
		},
		/** Ends all of them and counts them. Reads every open verification of the tenant, so it runs once for all users. */
		all: async (from: string, claims: Claims): Promise<number> => {
			let ended = 0;
			for (let after: string | null = ""; hasTable && after !== null; ) {
				const cursor: Where[] = after === "" ? [] : [{ field: "id", value: after, operator: "gt" }];
				const page = await find(from, cursor, PAGE);
				ended += await remove(from, claims, page);
				after = page.length === PAGE ? (page.at(-1)?.id ?? null) : null;
			}
			if (!storage) return ended;
			for await (const keys of pagesOf(storage, from, claims))
				await inGroups(keys, async (key) => {
					if (!isClaimedEntry(parseJson(await storage.get(key)), claims)) return [];
					await storage.delete(key);
					ended += 1;
					return [];
				});
			return ended;
		},
	};
};

/** The tenant's verifications in pages, or those with a known name if the storage cannot find its keys. */
const pagesOf = (storage: SecondaryStorage, from: string, { identifiers }: Claims) =>
	findKeys(storage, storageKey(from, VERIFICATION)) ?? [
		identifiers.map((identifier) => storageKey(from, VERIFICATION + identifier)),
	];

const isClaimedEntry = (entry: unknown, { isClaimed }: Claims): boolean =>
	typeof entry === "object" &&
	entry !== null &&
	"identifier" in entry &&
	typeof entry.identifier === "string" &&
	"value" in entry &&
	typeof entry.value === "string" &&
	isClaimed({ identifier: entry.identifier, value: entry.value });
