import type { BetterAuthDBSchema, SecondaryStorage } from "@better-auth/core/db";
import { BetterAuthError } from "@better-auth/core/error";
import type { KnownTenants } from "../scope/known-tenants.ts";
import { PLATFORM } from "../scope/platform.ts";
import type { RawAdapter } from "../scope/raw-adapter.ts";
import { rowById, rowsById } from "../scope/rows-by-id.ts";
import { isGlobalTable } from "../scope/tables.ts";
import type { Closing } from "./closing.ts";
import { endStoredSessions, sweepStorage } from "./stored-deletion.ts";
import type { TenantStore } from "./tenant-store.ts";

export type TenantDeletion = ReturnType<typeof createDeletion>;

type DeleteWith = {
	/** the engine's own adapter and storage, unscoped */
	adapter: RawAdapter;
	storage: SecondaryStorage | undefined;
	schema: BetterAuthDBSchema;
	tenants: TenantStore;
	known: KnownTenants;
	gracePeriod: number;
	batchSize: number;
	/** delete rows one at a time instead of in batches */
	oneByOne: boolean;
	/** find the rows of a batch by their primary key, whatever the database expects of the tenant */
	byKeyOnly: boolean;
};

/**
 * Deletes a tenant in five steps: close it, delete its rows, wait until no request that saw it open can still be
 * writing, delete again, then delete the tenant's own row. Until the last step the tenant stays closed, so the same
 * call continues after a crash. A tenant that no process has served needs no waiting. If a parallel call finishes first and the tenant is imported again, this call stops.
 *
 * Deletes in batches, because one cascade over 100,000 users holds its locks for seconds and blocks other tenants'
 * requests.
 */
export const createDeletion = (parts: DeleteWith) => {
	const { tenants, known, gracePeriod } = parts;
	const order = childrenFirst(parts.schema);
	return async (tenantId: string): Promise<void> => {
		if (tenantId === PLATFORM) throw new BetterAuthError("tenantAuth: the platform cannot be deleted");
		const closed = await tenants.close(tenantId);
		known.forget(tenantId);
		// another call has already deleted it
		if (closed === null) return;
		const { closedAt, isUnserved } = closed;
		const closing: Closing = { tenantId, isSame: () => tenants.isClosing(tenantId, closedAt) };
		// not `closedAt`, which an earlier call or another process's clock may have set
		const startedAt = Date.now();
		await sweep(parts, order, closing);
		// no request in any process has seen a tenant open that none has served
		if (!isUnserved) await sleep(Math.max(startedAt + gracePeriod * 1000 - Date.now(), 0));
		await sweep(parts, order, closing);
		await sweepStorage(parts.storage, closing);
		await tenants.remove(tenantId, closedAt);
	};
};

/**
 * Batches whose ids are read at once. A database that expects the tenant's rows everywhere in a table may read all rows
 * before them to find some.
 */
const BATCHES_FOUND = 20;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const sweep = async (
	{ adapter, storage, batchSize, oneByOne, byKeyOnly }: DeleteWith,
	order: string[],
	closing: Closing,
): Promise<void> => {
	for (const model of order) {
		for (;;) {
			const rows = await adapter.findMany<{ id: string }>({
				model,
				where: [{ field: "tenantId", value: closing.tenantId }],
				select: ["id"],
				limit: batchSize * BATCHES_FOUND,
			});
			if (rows.length === 0) break;
			for (let first = 0; first < rows.length; first += batchSize) {
				const startedAt = performance.now();
				const ids = rows.slice(first, first + batchSize).map(({ id }) => id);
				if (model === "user" && storage) await endStoredSessions(storage, closing, ids);
				// an import keeps row ids, so these rows may belong to the new tenant by now
				if (!(await closing.isSame())) return;
				const where = rowsById(closing.tenantId, ids, { byKeyOnly });
				if (oneByOne) await removeOneByOne(adapter, model, ids, closing);
				else await retrying(() => adapter.deleteMany({ model, where }), closing);
				// pauses as long as the batch took, for other requests; single-row deletes need no pause
				if (!oneByOne) await sleep(performance.now() - startedAt);
			}
		}
	}
};

/**
 * For MySQL, which locks the gaps between the rows that a statement visits. A batch would deadlock with sign-ups of
 * other tenants. Deleting single rows is slower and blocks no other tenant.
 */
const removeOneByOne = async (adapter: RawAdapter, model: string, ids: string[], closing: Closing): Promise<void> => {
	for (const id of ids) {
		// a batch is slow here, so a new tenant may have this id before it ends
		if (!(await closing.isSame())) return;
		await retrying(() => adapter.delete({ model, where: rowById(closing.tenantId, id) }), closing);
	}
};

/** Retries, because a parallel sign-in can deadlock with the deletion or lock a row for a short time. */
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

/** All tenant tables. A table that references another comes before it. */
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
