import type { BetterAuthDBSchema, SecondaryStorage } from "@better-auth/core/db";
import { BetterAuthError } from "@better-auth/core/error";
import { defineService } from "../../engine/service.ts";
import { isGlobalTable } from "../../scope/data/tables.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import type { KnownTenants } from "../../scope/tenants/known-tenants.ts";
import type { TenantStore } from "../../scope/tenants/tenant-store.ts";
import type { ClosedTenants, Closing } from "./closing.ts";
import { sweepStorage } from "./stored-deletion.ts";
import { type RowSweep, sleep } from "./sweep-rows.ts";

export type TenantDeletion = ReturnType<typeof createDeletion>;

/** Deletes a tenant. */
export const deletionOf = defineService<TenantDeletion>("deletion");

type DeleteWith = {
	/** the engine's own storage, unscoped */
	storage: SecondaryStorage | undefined;
	schema: BetterAuthDBSchema;
	tenants: TenantStore;
	known: KnownTenants;
	/** its drain time is read at each deletion, because the isolation test shortens it */
	shared: Pick<ClosedTenants, "drainTime" | "refusesRows">;
	sweepRows: RowSweep;
};

/**
 * Deletes a tenant in five steps: close it, delete its rows, wait until no request that saw it open can still be
 * writing, delete again, then delete the tenant's own row. Until the last step the tenant stays closed, so the same
 * call continues after a crash. A tenant that no process has served needs no waiting, nor one of a database that refuses new rows
 * of closed tenants. If a parallel call finishes first and the tenant is imported again, this call stops.
 *
 * Deletes in batches, because one cascade over 100,000 users holds its locks for seconds and blocks other tenants'
 * requests.
 */
export const createDeletion = (parts: DeleteWith) => {
	const { tenants, known } = parts;
	const order = childrenFirst(parts.schema);
	return async (tenantId: string): Promise<void> => {
		if (tenantId === PLATFORM) throw new BetterAuthError("tenantAuth: the platform cannot be deleted");
		const closed = await tenants.close(tenantId);
		known.forget(tenantId);
		// another call has already deleted it
		if (closed === null) return;
		const { closedAt, isUnserved } = closed;
		const { drainTime } = parts.shared;
		const closing: Closing = { tenantId, isSame: () => tenants.isClosing(tenantId, closedAt) };
		// not `closedAt`, which an earlier call or another process's clock may have set
		const startedAt = Date.now();
		// after the closing: triggers that were created since have waited for the writes before them
		const refusesRows = await parts.shared.refusesRows();
		await parts.sweepRows(order, closing);
		// no request in any process has seen a tenant open that none has served
		if (!isUnserved && !refusesRows) await sleep(Math.max(startedAt + drainTime * 1000 - Date.now(), 0));
		if (!refusesRows) await parts.sweepRows(order, closing);
		await sweepStorage(parts.storage, closing);
		await tenants.remove(tenantId, closedAt);
	};
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
