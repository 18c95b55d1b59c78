import { AsyncLocalStorage } from "node:async_hooks";
import { APIError } from "@better-auth/core/error";
import { CONCURRENCY_ERROR_CODES } from "../concurrency-error-codes.ts";
import { PLATFORM } from "../scope/platform.ts";
import type { TenantContext } from "../scope/tenant-context.ts";
import type { Shares } from "./shares.ts";

/** One request's place in the shares. */
export type Slot = ReturnType<typeof openSlot>;

const running = new AsyncLocalStorage<Slot>();

/** Runs a request in its slot: whatever pins it finds the slot and moves it to the tenant it was pinned to. */
export const runInSlot = <Result>(slot: Slot, run: () => Result): Result => running.run(slot, run);

/** Opens a slot for a request whose tenant is not decided yet; null where there are too many of those. */
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
		/** the engine whose requests it counts: another one in the same process has tenants of its own */
		owner,
		/** Counts the request for the tenant that it is going to be pinned to. Returns false where that share is used up. */
		expect: moveTo,
		/** Counts the request for the tenant that it was pinned to, whatever was expected. Returns false likewise. */
		settle: (tenantId: string): boolean => {
			decide();
			return moveTo(tenantId);
		},
		/** What a request left running is not counted any more. */
		close: (): void => {
			decide();
			if (share !== null) shares.giveBack(share);
			isOver = true;
		},
	};
};

/** Counts the running request for its tenant, once that is decided, or refuses it. Nothing happens outside of a slot. */
export const admitTo = (tenantId: string, owner: TenantContext): void => {
	const slot = running.getStore();
	if (!slot || slot.owner !== owner || slot.settle(tenantId)) return;
	throw new APIError("SERVICE_UNAVAILABLE", busyCode(tenantId), RETRY);
};

/** What is told where a share is used up; null where the tenant is not decided yet. */
export const busyCode = (tenantId: string | null) =>
	CONCURRENCY_ERROR_CODES[tenantId === null || tenantId === PLATFORM ? "SERVER_BUSY" : "TENANT_BUSY"];

/** A full share is free again soon; no cache may keep telling that it is not. */
export const RETRY = { "cache-control": "no-store", "retry-after": "1" };
