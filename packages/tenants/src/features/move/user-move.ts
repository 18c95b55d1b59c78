import { APIError } from "@better-auth/core/error";
import { defineService } from "../../engine/service.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import type { createTenantSecrets } from "../../scope/secrets/secrets.ts";
import type { TenantStore } from "../../scope/tenants/tenant-store.ts";
import { batchesOf, Collided, retrying, sleep } from "./batches.ts";
import { claimVerifications } from "./claimed-verifications.ts";
import type { MoveCollision } from "./collision.ts";
import { type BatchWith, createBatchMove, findClaimants } from "./move-batch.ts";
import type { createAccountMoves } from "./moved-accounts.ts";
import { createEncryptAgain } from "./moved-secrets.ts";
import type { Row } from "./moving-rows.ts";
import type { MoveSettings, Route } from "./plan-move.ts";
import { findUsers, selectUsers, type UserSelection } from "./select-users.ts";
import { type UserTable, withDiscarded } from "./user-tables.ts";

export type MoveWith = BatchWith & {
	tenants: Pick<TenantStore, "findOpen">;
	assertTenantsOpen: () => Promise<void>;
	secrets: ReturnType<typeof createTenantSecrets>;
	accountMoves: ReturnType<typeof createAccountMoves>;
	userTables: UserTable[];
	settings: () => MoveSettings;
	drainTime: number;
};

type MoveRequest = {
	from: string;
	to: string;
	selection: UserSelection;
	dryRun: boolean;
	batchSize: number;
	after: string | null;
	keepRoles: boolean;
	discard: readonly string[];
	onProgress: (progress: Progress) => void | Promise<void>;
};

type Progress = { users: number; moved: number; after: string | null };
type Result = Progress & { collisions: MoveCollision[] };

export type UserMove = ReturnType<typeof createUserMove>;

/** Moves users into another tenant. */
export const userMoveOf = defineService<UserMove>("moveUsers");

/**
 * Moves users in three steps. First, it reads everything and reports what prevents the move. Then it moves the users in
 * batches, each in a transaction. A request that began before its user moved can still write to the old tenant, so after
 * a drain time it looks for such rows again: it ends sessions, and moves the others.
 */
export const createUserMove = (parts: MoveWith) => {
	const { adapter, drainTime } = parts;
	const batches = createBatchMove(parts);

	const openRoute = async ({ from, to, discard, keepRoles }: MoveRequest): Promise<Route> => {
		for (const id of [from, to])
			if (id !== PLATFORM && !(await parts.tenants.findOpen({ id })))
				throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
		await parts.assertTenantsOpen();
		const [source, target] = [await parts.secrets(from), await parts.secrets(to)];
		return {
			from,
			to,
			tables: withDiscarded(parts.userTables, discard),
			accounts: await parts.accountMoves(from, to),
			encryptAgain: createEncryptAgain(source.secretConfig, target.secretConfig),
			settings: parts.settings(),
			keepRoles,
		};
	};

	return async (request: MoveRequest): Promise<Result> => {
		const route = await openRoute(request);
		const { ids, movedBefore, collisions } = await selectUsers(adapter, request, request.selection);
		const selected = new Set([...ids, ...movedBefore]);
		const isSelected = (id: string): boolean => selected.has(id);
		for (const batch of batchesOf(ids, request.batchSize)) {
			const users = await findUsers(adapter, route.from, batch);
			collisions.push(...(await batches.plan(route, users, isSelected)).collisions);
		}
		const result: Result = { users: ids.length, moved: 0, collisions, after: request.after };
		if (request.dryRun || collisions.length > 0) return result;

		const sweeps = createSweeps(drainTime, async (batch) => {
			collisions.push(...(await retrying(() => batches.sweep(route, batch, isSelected))));
		});
		// an earlier call may have stopped before its last sweep
		for (const batch of batchesOf(movedBefore, request.batchSize)) sweeps.add(batch);
		const moved: Row[] = await findUsers(adapter, route.to, movedBefore);
		for (const batch of batchesOf(ids, request.batchSize)) {
			try {
				const users = await retrying(() => batches.move(route, batch, isSelected));
				moved.push(...users);
				sweeps.add(users.map(({ id }) => id));
				result.moved += users.length;
			} catch (error) {
				if (!(error instanceof Collided)) throw error;
				collisions.push(...error.collisions);
				break;
			}
			result.after = batch.at(-1) ?? result.after;
			await sweeps.runDue();
			await request.onProgress({ users: result.users, moved: result.moved, after: result.after });
		}
		await sweeps.runAll();
		const claims = await claimVerifications(await findClaimants(parts.raw, route.from, moved), []);
		await parts.verifications.all(route.from, claims);
		return result;
	};
};

/** Runs `sweep` for each batch, a drain time after it moved. A long move sweeps while it continues. */
const createSweeps = (drainTime: number, sweep: (ids: string[]) => Promise<void>) => {
	const waiting: { ids: string[]; due: number }[] = [];
	const runDue = async (): Promise<void> => {
		for (let next = waiting[0]; next && next.due <= Date.now(); next = waiting[0]) {
			await sweep(next.ids);
			waiting.shift();
		}
	};
	return {
		add: (ids: string[]): void => {
			// a batch may be empty: its users moved with an earlier one, or were deleted
			if (ids.length > 0) waiting.push({ ids, due: Date.now() + drainTime * 1000 });
		},
		runDue,
		runAll: async (): Promise<void> => {
			for (let next = waiting[0]; next; next = waiting[0]) {
				await sleep(Math.max(next.due - Date.now(), 0));
				await runDue();
			}
		},
	};
};
