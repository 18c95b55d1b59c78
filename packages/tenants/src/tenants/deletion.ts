import type { BetterAuthDBSchema, SecondaryStorage } from "@better-auth/core/db";
import type { Where } from "@better-auth/core/db/adapter";
import { BetterAuthError } from "@better-auth/core/error";
import type { KnownTenants } from "../scope/known-tenants.ts";
import { PLATFORM } from "../scope/platform.ts";
import type { RawAdapter } from "../scope/raw-adapter.ts";
import { storageKey } from "../scope/storage.ts";
import { isGlobalTable } from "../scope/tables.ts";
import type { TenantStore } from "./tenant-store.ts";

export type TenantDeletion = ReturnType<typeof createDeletion>;

type DeleteWith = {
	/** the engine's own adapter and storage, below the scope */
	adapter: RawAdapter;
	storage: SecondaryStorage | undefined;
	schema: BetterAuthDBSchema;
	tenants: TenantStore;
	known: KnownTenants;
	gracePeriod: number;
	batchSize: number;
	/** delete each row by itself */
	oneByOne: boolean;
};

/**
 * Deletes a tenant: close it, sweep, wait until no request that saw it open can still be writing, sweep again, and only
 * then take the tenant's own row. Until that last step the tenant is closed and the same call goes on after a crash.
 * Of two calls one ends first, and the tenant may be imported anew before the other has: that one stops where it is.
 *
 * In batches: one cascade over 100,000 users holds its locks for seconds and starves every other tenant's requests.
 */
export const createDeletion = (parts: DeleteWith) => {
	const { tenants, known, gracePeriod } = parts;
	const order = childrenFirst(parts.schema);
	return async (tenantId: string): Promise<void> => {
		if (tenantId === PLATFORM) throw new BetterAuthError("tenantAuth: the platform cannot be deleted");
		const closedAt = await tenants.close(tenantId);
		known.forget(tenantId);
		// another call has ended meanwhile
		if (closedAt === null) return;
		const closing: Closing = { tenantId, isSame: () => tenants.isClosing(tenantId, closedAt) };
		// not `closedAt`, which an earlier call or another process's clock may have said
		const startedAt = Date.now();
		await sweep(parts, order, closing);
		await sleep(Math.max(startedAt + gracePeriod * 1000 - Date.now(), 0));
		await sweep(parts, order, closing);
		await sweepStorage(parts.storage, closing);
		await tenants.remove(tenantId, closedAt);
	};
};

/** Ids move with their rows: what was found here may have been deleted by another call and be somebody's elsewhere by now. */
const ofTenant = ({ tenantId }: Closing): Where => ({ field: "tenantId", value: tenantId });

/** The tenant that was closed, and whether it is still that one which has its id. */
type Closing = { tenantId: string; isSame: () => Promise<boolean> };

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const sweep = async (
	{ adapter, storage, batchSize, oneByOne }: DeleteWith,
	order: string[],
	closing: Closing,
): Promise<void> => {
	for (const model of order) {
		for (;;) {
			const rows = await adapter.findMany<{ id: string }>({
				model,
				where: [{ field: "tenantId", value: closing.tenantId }],
				select: ["id"],
				limit: batchSize,
			});
			if (rows.length === 0) break;
			const began = performance.now();
			const ids = rows.map(({ id }) => id);
			if (model === "user" && storage) await endStoredSessions(storage, closing, ids);
			// rows are brought along with their ids, so what was found may be the new tenant's by now
			if (!(await closing.isSame())) return;
			const where: Where[] = [{ field: "id", value: ids, operator: "in" }, ofTenant(closing)];
			if (oneByOne) await removeOneByOne(adapter, model, ids, closing);
			else await retrying(() => adapter.deleteMany({ model, where }), closing);
			// the database works for everybody else in between; one row at a time leaves room by itself
			if (!oneByOne) await sleep(performance.now() - began);
		}
	}
};

/**
 * MySQL locks the gaps between the rows that a statement visits, so that a batch dead-locks with sign-ups of other tenants;
 * there each row goes by itself, which costs time and disturbs nobody.
 */
const removeOneByOne = async (adapter: RawAdapter, model: string, ids: string[], closing: Closing): Promise<void> => {
	for (const id of ids) {
		// a batch takes so long here that the tenant can be another one at its end
		if (!(await closing.isSame())) return;
		await retrying(() => adapter.delete({ model, where: [{ field: "id", value: id }, ofTenant(closing)] }), closing);
	}
};

/** A sign-in that races the deletion can dead-lock with it or hold a row that is about to go; both pass. */
const retrying = async (write: () => Promise<unknown>, { isSame }: Closing): Promise<void> => {
	for (let attempt = 1; ; attempt += 1) {
		try {
			await write();
			return;
		} catch (error) {
			if (attempt === 5) throw error;
			await sleep(attempt * 50);
			if (!(await isSame())) return;
		}
	}
};

/** The sessions that live in the secondary storage are found by their users. */
const endStoredSessions = async (
	storage: SecondaryStorage,
	{ tenantId, isSame }: Closing,
	userIds: string[],
): Promise<void> => {
	for (let first = 0; first < userIds.length; first += STORAGE_BATCH) {
		const listKeys = userIds
			.slice(first, first + STORAGE_BATCH)
			.map((userId) => storageKey(tenantId, `active-sessions-${userId}`));
		const lists = await Promise.all(listKeys.map((key) => storage.get(key)));
		if (!(await isSame())) return;
		const tokenKeys = lists.flatMap(readTokens).map((token) => storageKey(tenantId, token));
		// the lists last: where this is cut off, they still say what is left
		await Promise.all(tokenKeys.map((key) => storage.delete(key)));
		await Promise.all(listKeys.map((key) => storage.delete(key)));
	}
};

const readTokens = (list: unknown): string[] => {
	try {
		const entries: unknown = typeof list === "string" ? JSON.parse(list) : list;
		return Array.isArray(entries)
			? entries.flatMap((entry) => (typeof entry?.token === "string" ? [entry.token] : []))
			: [];
	} catch {
		return [];
	}
};

/** People whose sessions are ended together: enough not to wait for each answer, too few to keep others waiting. */
const STORAGE_BATCH = 20;

type ListableStorage = SecondaryStorage & { listKeys: () => Promise<string[]> };
const canList = (storage: SecondaryStorage): storage is ListableStorage =>
	"listKeys" in storage && typeof storage.listKeys === "function";

/**
 * What else lies under the tenant's prefix: open flows. Storages that can list their keys (the official Redis storage
 * can) are swept; in others these keys end by their own time to live, unreachable since the tenant is closed.
 */
const sweepStorage = async (storage: SecondaryStorage | undefined, { tenantId, isSame }: Closing): Promise<void> => {
	if (!storage || !canList(storage)) return;
	const prefix = storageKey(tenantId, "");
	const keys = (await storage.listKeys()).filter((key) => key.startsWith(prefix));
	if (!(await isSame())) return;
	for (let first = 0; first < keys.length; first += STORAGE_BATCH)
		await Promise.all(keys.slice(first, first + STORAGE_BATCH).map((key) => storage.delete(key)));
};

/** Every table of a tenant, those that point at others before those they point at. */
const childrenFirst = (schema: BetterAuthDBSchema): string[] => {
	const models = Object.keys(schema).filter((model) => !isGlobalTable(model));
	const order: string[] = [];
	const place = (model: string, path: string[]): void => {
		if (order.includes(model) || path.includes(model)) return;
		for (const child of models) {
			const fields = Object.values(schema[child]?.fields ?? {});
			if (fields.some((field) => field.references && modelOf(schema, field.references.model) === model))
				place(child, [...path, model]);
		}
		order.push(model);
	};
	for (const model of models) place(model, []);
	return order;
};

const modelOf = (schema: BetterAuthDBSchema, name: string): string | undefined =>
	name in schema ? name : Object.keys(schema).find((key) => schema[key]?.modelName === name);
