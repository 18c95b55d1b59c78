import { getCurrentAdapter } from "@better-auth/core/context";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { POLICY_ERROR_CODES } from "./error-codes.ts";
import { applyChanges, type PolicyChanges, readStored } from "./rules.ts";

const MODEL = "tenantPolicy";
/** Parallel changes of one tenant's policy are rare. */
const ATTEMPTS = 5;

type PolicyRow = { id: string; tenantId: string; rules: string; revision: number; updatedAt: Date };

/** A stored policy. `own` is null if it cannot be read. */
export type StoredPolicy = { own: PolicyChanges | null; updatedAt: Date | null };

/**
 * Stores the policy of one tenant. Uses the scoped adapter inside the tenant, so it finds no other tenant's row. The caller has
 * checked that the tenant is open.
 */
export const createPolicyStore = (adapter: DBAdapter, tenantId: string) => {
	const inTenant = <Result>(run: (rows: Pick<DBAdapter, "findOne" | "create" | "updateMany">) => Promise<Result>) =>
		// inside a transaction on its connection: a second one could wait for the first
		runInKnownTenant(tenantId, async () => run(await getCurrentAdapter(adapter)));

	const find = (): Promise<PolicyRow | null> =>
		inTenant((rows) => rows.findOne<PolicyRow>({ model: MODEL, where: [{ field: "tenantId", value: tenantId }] }));

	const write = async (row: PolicyRow | null, own: PolicyChanges, updatedAt: Date): Promise<boolean> => {
		const rules = JSON.stringify(own);
		if (!row) {
			try {
				await inTenant((rows) => rows.create({ model: MODEL, data: { tenantId, rules, revision: 1, updatedAt } }));
				return true;
			} catch (error) {
				// the unique index decides between parallel calls
				if (await find()) return false;
				throw error;
			}
		}
		const written = await inTenant((rows) =>
			rows.updateMany({
				model: MODEL,
				where: [
					{ field: "id", value: row.id },
					{ field: "revision", value: row.revision, connector: "AND" },
				],
				update: { rules, revision: row.revision + 1, updatedAt },
			}),
		);
		return written > 0;
	};

	return {
		find: async (): Promise<StoredPolicy> => stored(await find()),
		/**
		 * Changes some rules. `check` sees the tenant's own rules as they would be, and may throw. Of two parallel changes, none
		 * is lost: a rule that an operator has just tightened must not become loose again.
		 */
		change: async (changes: PolicyChanges, check: (next: PolicyChanges) => Promise<void>): Promise<StoredPolicy> => {
			for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
				const row = await find();
				// rules that cannot be read are replaced as a whole
				const own = applyChanges((row && readStored(row.rules)) ?? {}, changes);
				await check(own);
				const updatedAt = new Date();
				if (await write(row, own, updatedAt)) return { own, updatedAt };
			}
			throw APIError.from("CONFLICT", POLICY_ERROR_CODES.POLICY_CHANGED);
		},
	};
};

const stored = (row: PolicyRow | null): StoredPolicy =>
	row ? { own: readStored(row.rules), updatedAt: row.updatedAt } : { own: {}, updatedAt: null };
