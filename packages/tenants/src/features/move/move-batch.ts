import type { DBAdapter } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import type { RawAdapter } from "../../scope/data/raw-adapter.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import type { TenantStore } from "../../scope/tenants/tenant-store.ts";
import { Collided } from "./batches.ts";
import { type Claimant, claimVerifications } from "./claimed-verifications.ts";
import type { MoveCollision } from "./collision.ts";
import type { SessionEnd } from "./end-stored-sessions.ts";
import type { VerificationEnd } from "./end-verifications.ts";
import { ALL, inTenant, type MovingRows, oneOf, type Row } from "./moving-rows.ts";
import { type Plan, planMove, type Route } from "./plan-move.ts";
import { findUsers } from "./select-users.ts";
import type { StoredKeys } from "./stored-keys.ts";
import { lockRows, writeMove } from "./write-move.ts";

export type BatchWith = {
	/** the scoped adapter, for transactions and to read users */
	adapter: DBAdapter;
	raw: RawAdapter;
	tenants: Pick<TenantStore, "holdOpen">;
	endSessions: SessionEnd;
	verifications: VerificationEnd;
	storedKeys: StoredKeys;
	/** throws if one of the users must stay, such as the last owner of a tenant */
	assertMayLeave: (tenantId: string, userIds: string[]) => Promise<void>;
};

type IsSelected = (userId: string) => boolean;

/** Plans and moves the users of one batch. */
export const createBatchMove = (parts: BatchWith) => {
	const { adapter, raw, tenants, endSessions, verifications, storedKeys, assertMayLeave } = parts;
	const plan = (route: Route, users: Row[], isSelected: IsSelected): Promise<Plan> =>
		planMove({ adapter: raw, storedKeys }, route, users, isSelected);

	/** Plans a batch. Adds users that a row links to it, because the row cannot be in two tenants. */
	const planTogether = async (
		inside: Pick<DBAdapter, "findMany">,
		route: Route,
		ids: string[],
		isSelected: IsSelected,
	) => {
		const together = new Set(ids);
		for (;;) {
			await lockRows(raw, route, [...together]);
			const users = await findUsers(inside, route.from, [...together]);
			const planned = await plan(route, users, (id) => isSelected(id) && !together.has(id));
			if (planned.linkedUsers.length === 0) return { planned, users };
			for (const id of planned.linkedUsers) together.add(id);
		}
	};

	/** Closing a tenant waits for this transaction. The tenants are locked in one order, so two moves cannot deadlock. */
	const holdOpen = async ({ from, to }: Route): Promise<void> => {
		for (const id of [from, to].sort())
			if (id !== PLATFORM && !(await tenants.holdOpen(id)))
				throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
	};

	/** Ends the sessions and cached API keys in the storage. */
	const endStored = async (from: string, users: Row[], moving: MovingRows, tokens: string[]): Promise<void> => {
		const ids = users.map(({ id }) => id);
		await endSessions(from, ids, tokens);
		await storedKeys.forget(from, moving);
	};

	return {
		plan,
		/** Moves users in one transaction. Returns those that moved, and throws `Collided` if one of them cannot. */
		move: async (route: Route, ids: string[], isSelected: IsSelected): Promise<Row[]> => {
			const { users, planned, tokens } = await adapter.transaction(async (inside) => {
				const together = await planTogether(inside, route, ids, isSelected);
				if (together.planned.collisions.length > 0) throw new Collided(together.planned.collisions);
				await assertMayLeave(
					route.from,
					together.users.map(({ id }) => id),
				);
				const tokens = await writeMove(raw, route, together.planned);
				await verifications.known(route.from, await claimVerifications(claimants(together.users), tokens));
				// before the commit: if the process stops after it, no session survives
				await endStored(route.from, together.users, together.planned.moving, tokens);
				// last, because from here on closing the tenants waits
				await holdOpen(route);
				return { ...together, tokens };
			});
			// and after it: a request may have signed in meanwhile
			await endStored(route.from, users, planned.moving, tokens);
			return users;
		},
		/** Ends and moves what requests wrote to the old tenant after their users had moved. Reports what cannot move. */
		sweep: async (route: Route, ids: string[], isSelected: IsSelected): Promise<MoveCollision[]> => {
			const swept = await adapter.transaction(async (inside) => {
				await lockRows(raw, route, ids);
				const users = await findUsers(inside, route.to, ids);
				const planned = await plan(route, users, isSelected);
				// the user has moved, so only the rows of other tables matter
				const collisions = planned.collisions.filter(({ table }) => table !== undefined);
				const tokens = await writeMove(raw, route, { ...planned, moving: without(planned.moving, collisions) });
				await verifications.known(
					route.from,
					await claimVerifications(await findClaimants(raw, route.from, users), tokens),
				);
				return { users, moving: planned.moving, collisions, tokens };
			});
			await endStored(route.from, swept.users, swept.moving, swept.tokens);
			return swept.collisions;
		},
	};
};

/** Leaves out the late rows of users with a row that cannot move. */
const without = (moving: MovingRows, collisions: MoveCollision[]): MovingRows => {
	const stuck = new Set(collisions.map(({ userId }) => userId));
	return new Map(
		[...moving].map(([table, rows]) => [
			table,
			new Map([...rows].filter(([, { userId }]) => table === "user" || !stuck.has(userId))),
		]),
	);
};

const claimants = (users: Row[]): Claimant[] => users.map(({ id, email, phoneNumber }) => ({ id, email, phoneNumber }));

/**
 * The same for users that have left. Another user of the old tenant may have the email by now, or had it all along if the
 * first one never was there. Then verifications for the email are that user's.
 */
export const findClaimants = async (
	adapter: Pick<RawAdapter, "findMany">,
	from: string,
	users: Row[],
): Promise<Claimant[]> => {
	const left = claimants(users);
	const used = async (field: "email" | "phoneNumber"): Promise<Set<unknown>> => {
		const values = left.map((user) => user[field]).filter((value) => typeof value === "string");
		if (values.length === 0) return new Set();
		const where = inTenant(from, oneOf(field, values));
		return new Set((await adapter.findMany<Row>({ model: "user", where, limit: ALL })).map((user) => user[field]));
	};
	const [emails, phoneNumbers] = [await used("email"), await used("phoneNumber")];
	return left.map(({ id, email, phoneNumber }) => ({
		id,
		email: emails.has(email) ? null : email,
		phoneNumber: phoneNumbers.has(phoneNumber) ? null : phoneNumber,
	}));
};
