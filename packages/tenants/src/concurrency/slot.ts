import { AsyncLocalStorage } from "node:async_hooks";
import { APIError } from "@better-auth/core/error";
import { CONCURRENCY_ERROR_CODES } from "../concurrency-error-codes.ts";
import { PLATFORM } from "../scope/platform.ts";
import type { TenantContext } from "../scope/tenant-context.ts";
import type { Shares } from "./shares.ts";

/** The slot of one request. */
export type Slot = ReturnType<typeof openSlot>;

const running = new AsyncLocalStorage<Slot>();

/** Runs a request in its slot. When the request is pinned, the slot moves to its tenant. */
export const runInSlot = <Result>(slot: Slot, run: () => Result): Result => running.run(slot, run);

/** Opens a slot for a request whose tenant is not decided yet. Null if there are too many such requests. */
export const openSlot = (shares: Shares, owner: TenantContext) => {
	if (!shares.takeUndecided()) return null;
	let isDecided = false;
	let isOver = false;
	let share: string | null = null;

	const moveTo = (tenantId: string): boolean => {
		if (isOver || share === tenantId) return true;
		if (share !== null) shares.giveBack(share);
		share = shares.take(tenantId) ? tenantId : null;
		return share !== null;
	};
	const decide = (): void => {
		if (isDecided) return;
		isDecided = true;
		shares.giveBackUndecided();
	};
	return {
		/** the plugin instance whose requests it counts; another instance in the same process has its own tenants */
		owner,
		/** Counts the request for the tenant it will be pinned to. Returns false if the limit is reached. */
		expect: moveTo,
		/**
		 * Counts the request for the tenant it was pinned to, even if another was expected. Returns false if the limit is
		 * reached.
		 */
		settle: (tenantId: string): boolean => {
			decide();
			return moveTo(tenantId);
		},
		/** Ends the count. Background work of the request is not counted. */
		close: (): void => {
			decide();
			if (share !== null) shares.giveBack(share);
			isOver = true;
		},
	};
};

/** Counts the running request for its tenant, or rejects it. Does nothing outside of a slot. */
export const admitTo = (tenantId: string, owner: TenantContext): void => {
	const slot = running.getStore();
	if (!slot || slot.owner !== owner || slot.settle(tenantId)) return;
	throw new APIError("SERVICE_UNAVAILABLE", busyCode(tenantId), RETRY);
};

/** The error code for a full limit. `tenantId` is null if the tenant is not decided yet. */
export const busyCode = (tenantId: string | null) =>
	CONCURRENCY_ERROR_CODES[tenantId === null || tenantId === PLATFORM ? "SERVER_BUSY" : "TENANT_BUSY"];

/** Clients can retry soon, and no cache may store the error. */
export const RETRY = { "cache-control": "no-store", "retry-after": "1" };
