import { contextOf, defineService, type RunningAuth } from "../engine/service.ts";
import type { DeletionCounts } from "../features/tenants/count-deletions.ts";

/**
 * What the plugin does in this process.
 *
 * @example
 * ```ts
 * const { hashing } = await tenantActivity(auth);
 * console.log(`${hashing.waiting} requests wait for a password hash`);
 * ```
 */
export type TenantActivity = {
	/** Password hashes that are computed now, and requests that wait for one (`hashing.concurrency`). */
	hashing: { running: number; waiting: number };
	/** Deletions of tenants: running now, and ended since the process started. */
	deletions: DeletionCounts;
};

/** What the plugin does in this process. */
export const activityOf = defineService<() => TenantActivity>("activity");

/**
 * Returns what the plugin does in this process, for metrics. Reads no database.
 *
 * @example
 * ```ts
 * const { hashing, deletions } = await tenantActivity(auth);
 * ```
 */
export const tenantActivity = async (auth: RunningAuth): Promise<TenantActivity> => activityOf(await contextOf(auth))();
