import type { RawAdapter } from "../../scope/data/raw-adapter.ts";
import { rowById, rowsById } from "../../scope/data/rows-by-id.ts";
import type { Closing } from "./closing.ts";

type SweepWith = {
	/** the engine's own adapter, unscoped */
	adapter: RawAdapter;
	batchSize: number;
	/** delete rows one at a time instead of in batches */
	oneByOne: boolean;
	/** find the rows of a batch by their primary key, whatever the database expects of the tenant */
	byKeyOnly: boolean;
	/** runs before the rows of a batch are deleted */
	beforeBatch?: (model: string, ids: string[], closing: Closing) => Promise<void>;
};

export type RowSweep = ReturnType<typeof createRowSweep>;

/**
 * Batches whose ids are read at once. A database that expects the tenant's rows everywhere in a table may read all rows
 * before them to find some.
 */
const BATCHES_FOUND = 20;

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Deletes all rows of a closed tenant in these tables, in batches. */
export const createRowSweep =
	({ adapter, batchSize, oneByOne, byKeyOnly, beforeBatch }: SweepWith) =>
	async (models: string[], closing: Closing): Promise<void> => {
		for (const model of models) {
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
					await beforeBatch?.(model, ids, closing);
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
