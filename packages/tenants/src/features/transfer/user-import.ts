import { getCurrentAdapter, runWithTransaction } from "@better-auth/core/context";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { defineService } from "../../engine/service.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { TRANSFER_ERROR_CODES } from "../../errors/transfer-error-codes.ts";
import { isTooLong } from "../../load/bounds/too-long.ts";
import type { RawAdapter } from "../../scope/data/raw-adapter.ts";
import { isRefusedValue } from "../../scope/data/refused-values.ts";
import { isDriverQueryError } from "../../scope/pin/outage.ts";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import type { TenantStore } from "../../scope/tenants/tenant-store.ts";
import { createLookUp, type Taken } from "./taken-names.ts";
import { type ImportedUser, isCredential } from "./user-line.ts";

type Outcome = "imported" | "existing" | { code: string; message: string };
type Outcomes = Map<ImportedUser, Outcome>;
export type UserImport = ReturnType<typeof createUserImport>;

/** Imports users. */
export const userImportOf = defineService<UserImport>("importUsers");

type ImportWith = {
	/** the scoped adapter, so every row it writes belongs to the tenant */
	adapter: DBAdapter;
	raw: RawAdapter;
	tenants: Pick<TenantStore, "holdOpen">;
};

/**
 * Writes users with their accounts into a tenant, in one transaction. If it fails (a parallel request wrote one of
 * them, or the database rejects a value), writes each user separately and reports which ones fail.
 */
export const createUserImport = ({ adapter, raw, tenants }: ImportWith) => {
	const lookUp = createLookUp(raw);

	const writeTogether = async (tenantId: string, users: ImportedUser[]): Promise<Outcomes> =>
		runWithTransaction(adapter, async () => {
			const running = await getCurrentAdapter(adapter);
			const taken = await lookUp(running, users);
			const outcomes: Outcomes = new Map();
			for (const user of users) {
				const outcome = judge(user, taken);
				outcomes.set(user, outcome);
				if (outcome !== "imported") continue;
				await write(running, user);
				taken.add(user);
			}
			// last, because from here on closing the tenant waits; a batch can take longer than a deletion's drain time
			if (!(await tenants.holdOpen(tenantId)))
				throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
			return outcomes;
		});

	const writeAlone = async (tenantId: string, user: ImportedUser): Promise<Outcomes> => {
		try {
			return await writeTogether(tenantId, [user]);
		} catch (error) {
			if (isTooLong(error)) return new Map([[user, { code: String(error.body?.code), message: error.message }]]);
			if (isRefusedValue(error)) return new Map([[user, TENANT_AUTH_ERROR_CODES.INVALID_VALUE]]);
			// an outage says nothing about this user; users written before stay and can be sent again
			if (!isDriverQueryError(error)) throw error;
			// a parallel request may have written this user
			const outcome = judge(user, await lookUp(adapter, [user]));
			return new Map([[user, outcome === "imported" ? TENANT_AUTH_ERROR_CODES.INVALID_VALUE : outcome]]);
		}
	};

	return (tenantId: string, users: ImportedUser[]): Promise<Outcomes> =>
		runInKnownTenant(tenantId, async () => {
			// sorted, so two imports of the same file wait for each other instead of deadlocking
			const ordered = users.toSorted((one, other) => (one.email < other.email ? -1 : Number(one.email > other.email)));
			try {
				return await writeTogether(tenantId, ordered);
			} catch (error) {
				if (isNotFound(error)) throw error;
				const outcomes: Outcomes = new Map();
				for (const user of ordered)
					for (const [written, outcome] of await writeAlone(tenantId, user)) outcomes.set(written, outcome);
				return outcomes;
			}
		});
};

const isNotFound = (error: unknown): boolean =>
	error instanceof APIError && error.body?.code === TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND.code;

/** Decides what happens to a user, given the existing ones. */
const judge = (user: ImportedUser, taken: Taken): Outcome => {
	if (taken.hasEmail(user.email)) return "existing";
	if (user.id !== undefined && taken.hasId(user.id)) return TRANSFER_ERROR_CODES.USER_ID_TAKEN;
	if (user.accounts.some(taken.hasAccount)) return TRANSFER_ERROR_CODES.ACCOUNT_TAKEN;
	return "imported";
};

/** Writes without hooks: an import is no sign-up, so it must not send a welcome email or create a customer. */
const write = async (adapter: Pick<DBAdapter, "create">, user: ImportedUser): Promise<void> => {
	const now = new Date();
	const { id, email, emailVerified, name, image = null, createdAt = now, updatedAt = now } = user;
	const created = await adapter.create<Record<string, unknown>, { id: string }>({
		model: "user",
		data: { ...(id === undefined ? {} : { id }), email, emailVerified, name, image, createdAt, updatedAt },
		forceAllowId: id !== undefined,
	});
	// the engine replaces an id that does not fit the configured kind of ids (uuid, serial)
	if (id !== undefined && created.id !== id) throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_VALUE);
	for (const { providerId, accountId, password } of user.accounts) {
		await adapter.create({
			model: "account",
			data: {
				userId: created.id,
				providerId,
				// for a password, the engine uses the user id as account id
				accountId: isCredential(providerId) ? created.id : accountId,
				...(password === undefined ? {} : { password }),
				createdAt,
				updatedAt,
			},
		});
	}
};
