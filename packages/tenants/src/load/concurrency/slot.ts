import { APIError } from "@better-auth/core/error";
import { CONCURRENCY_ERROR_CODES } from "../../errors/concurrency-error-codes.ts";
import { defineCallPart } from "../../lib/call.ts";
import type { EndTurn, Turns } from "../../lib/turns.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import type { TenantContext } from "../../scope/pin/tenant-context.ts";
import type { Shares } from "./shares.ts";

/** The slot of one request. */
export type Slot = NonNullable<ReturnType<typeof openSlot>>;

const running = defineCallPart<Slot>();

/** Runs a request in its slot. When the request is pinned, the slot moves to its tenant. */
export const runInSlot = <Result>(slot: Slot, run: () => Result): Result => running.run(slot, run);

/** Opens a slot for a request whose tenant is not decided yet. Null if there are too many such requests. */
export const openSlot = ({ shares, turns }: { shares: Shares; turns: Turns }, owner: TenantContext) => {
	if (!shares.takeUndecided()) return null;
	let isDecided = false;
	let isOver = false;
	let share: string | null = null;
	let endTurn: EndTurn | null = null;

	/** Without a promise if the request need not wait. */
	const moveTo = (tenantId: string): boolean | Promise<boolean> => {
		if (isOver || share === tenantId) return true;
		leave();
		if (!shares.take(tenantId)) return false;
		share = tenantId;
		// operators manage tenants on the platform, and do not wait for its users
		if (tenantId === PLATFORM) return true;
		const turn = turns.take(tenantId);
		return turn instanceof Promise ? turn.then(begin) : begin(turn);
	};
	const begin = (turn: EndTurn): true => {
		if (isOver) turn();
		else endTurn = turn;
		return true;
	};
	const leave = (): void => {
		endTurn?.();
		if (share !== null) shares.giveBack(share);
		endTurn = null;
		share = null;
	};
	const decide = (): void => {
		if (isDecided) return;
		isDecided = true;
		shares.giveBackUndecided();
	};
	/**
	 * Waits in front of the engine. Meanwhile the request has no place among those whose tenant is not decided, or a few tenants
	 * with long lines would take all of these places from the others.
	 */
	const waitOutside = async (tenantId: string): Promise<boolean> => {
		if (!shares.takeWaiting()) return false;
		decide();
		const isIn = await moveTo(tenantId);
		shares.giveBackWaiting();
		isDecided = !isIn || !shares.takeUndecided();
		return !isDecided;
	};
	return {
		/** the plugin instance whose requests it counts; another instance in the same process has its own tenants */
		owner,
		/** Counts the request for the tenant it will be pinned to and waits for its turn. False if the limit is reached. */
		expect: (tenantId: string): boolean | Promise<boolean> =>
			tenantId !== PLATFORM && turns.mustWait(tenantId) ? waitOutside(tenantId) : moveTo(tenantId),
		/** The same for the tenant it was pinned to, even if another was expected. Later calls inside the request change nothing. */
		settle: (tenantId: string): boolean | Promise<boolean> => {
			if (isDecided) return true;
			decide();
			return moveTo(tenantId);
		},
		/** Ends the count. Background work of the request is not counted. */
		close: (): void => {
			decide();
			leave();
			isOver = true;
		},
	};
};

/** Counts the running request for its tenant and waits for its turn, or rejects it. Does nothing outside of a slot. */
export const admitTo = (tenantId: string, owner: TenantContext): void | Promise<void> => {
	const slot = running.now();
	if (!slot || slot.owner !== owner) return;
	const admitted = slot.settle(tenantId);
	return admitted instanceof Promise ? admitted.then((isIn) => assertIn(isIn, tenantId)) : assertIn(admitted, tenantId);
};

const assertIn = (isIn: boolean, tenantId: string): void => {
	if (!isIn) throw new APIError("SERVICE_UNAVAILABLE", busyCode(tenantId), RETRY);
};

/** The error code for a full limit. `tenantId` is null if the tenant is not decided yet. */
export const busyCode = (tenantId: string | null) =>
	CONCURRENCY_ERROR_CODES[tenantId === null || tenantId === PLATFORM ? "SERVER_BUSY" : "TENANT_BUSY"];

/** Clients can retry soon, and no cache may store the error. */
export const RETRY = { "cache-control": "no-store", "retry-after": "1" };
