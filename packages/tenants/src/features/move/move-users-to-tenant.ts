import type { AuthContext } from "@better-auth/core";
import type { Where } from "@better-auth/core/db/adapter";
import { BetterAuthError } from "@better-auth/core/error";
import * as z from "zod";
import { isTenantId } from "../../resolve/tenant-id.ts";
import type { MoveCollision } from "./collision.ts";
import { userMoveOf } from "./user-move.ts";

/**
 * How far `moveUsersToTenant` got.
 *
 * @example
 * ```ts
 * const onProgress = ({ moved, users }: MoveProgress) => console.log(`${moved} of ${users}`);
 * ```
 */
export type MoveProgress = {
	/** Users that were selected and are in the source. */
	users: number;
	/** Users that moved. */
	moved: number;
	/** The last user of the last batch. Pass it as `after` to continue after an interruption. */
	after: string | null;
};

/**
 * The result of `moveUsersToTenant`.
 *
 * @example
 * ```ts
 * const { moved, collisions }: MovedUsers = await moveUsersToTenant(auth, { from: PLATFORM, to: tenantId, userIds });
 * ```
 */
export type MovedUsers = MoveProgress & {
	/**
	 * What prevents the move, for all selected users. If it was found before the first batch, nothing was written. If a
	 * parallel request caused it later, `moved` says how many users moved.
	 */
	collisions: MoveCollision[];
};

/** Some users. */
type UsersById = {
	/** The users to move. Users that are in the target already are skipped. */
	userIds: readonly string[];
	/**
	 * Not together with `userIds`.
	 * @default none
	 */
	where?: undefined;
};

/** All users that match. */
type UsersByCondition = {
	/** Moves the users of the source that match. `[]` matches all of them. */
	where: Where[];
	/**
	 * Not together with `where`.
	 * @default none
	 */
	userIds?: undefined;
};

/**
 * Options of `moveUsersToTenant`.
 *
 * @example
 * ```ts
 * const options: MoveOptions = { from: PLATFORM, to: tenantId, where: [{ field: "plan", value: "acme" }], dryRun: true };
 * ```
 */
export type MoveOptions = {
	/** The tenant of the users, or `PLATFORM`. */
	from: string;
	/** The tenant to move to, or `PLATFORM`. It must exist and be open. */
	to: string;
	/**
	 * Reports what would happen and writes nothing.
	 * @default false
	 */
	dryRun?: boolean;
	/**
	 * Users in one transaction, 1 to 1000.
	 * @default 100
	 */
	batchSize?: number;
	/**
	 * Continues after this user. Pass `after` of the last progress together with the same `userIds` or `where`: databases
	 * and lists of ids have different orders.
	 * @default null
	 */
	after?: string | null;
	/**
	 * Tables whose rows of the users are deleted instead of moved. Use it for rows that refer to something that stays
	 * behind, for example `["member", "invitation"]` of the organization plugin.
	 * @default []
	 */
	discard?: readonly string[];
	/**
	 * Moves users that have a role. Use it only if the role means the same in the source and in the target: an admin of
	 * the source becomes an admin of the target.
	 * @default false
	 */
	keepRoles?: boolean;
	/**
	 * Called after each batch. The move waits for it.
	 * @default none
	 */
	onProgress?: (progress: MoveProgress) => void | Promise<void>;
} & (UsersById | UsersByCondition);

/** One plain field, because the types of the others depend on the application's plugins. */
type Movable = { $context: Promise<Pick<AuthContext, "secret">> };

const checked = z.object({
	batchSize: z.int().min(1).max(1000).default(100),
	after: z.string().min(1).nullish(),
	userIds: z.array(z.string().min(1)).optional(),
	where: z.array(z.unknown()).optional(),
	discard: z.array(z.string()).default([]),
});

/**
 * Moves users to another tenant, from the platform into a tenant, or back to the platform. They keep their ids,
 * passwords, accounts, second factors, passkeys, API keys and the rows of composed plugins. Their sessions end, and so do
 * their reset tokens and one-time passwords. It is server code and checks no permission.
 *
 * All collisions of all users are found first. If there are any, nothing is written. It returns after the deletion's
 * drain time, when no earlier request can write to the old tenant any more.
 *
 * @example
 * ```ts
 * const { moved, collisions } = await moveUsersToTenant(auth, { from: PLATFORM, to: tenantId, userIds });
 * ```
 */
export const moveUsersToTenant = async (auth: Movable, options: MoveOptions): Promise<MovedUsers> => {
	const { from, to, where, userIds } = options;
	const read = checked.safeParse(options);
	if (!read.success || (userIds === undefined) === (where === undefined))
		throw new BetterAuthError(
			"moveUsersToTenant: set either userIds (ids) or where (conditions), and batchSize to 1 to 1000, if at all",
		);
	if (!isTenantId(from) || !isTenantId(to) || from === to)
		throw new BetterAuthError("moveUsersToTenant: from and to must be two different tenant ids, or PLATFORM");
	const context = await auth.$context;
	return userMoveOf({ context: context as AuthContext })({
		from,
		to,
		selection: where === undefined ? { userIds: read.data.userIds ?? [] } : { where },
		dryRun: options.dryRun ?? false,
		batchSize: read.data.batchSize,
		after: read.data.after ?? null,
		keepRoles: options.keepRoles ?? false,
		discard: read.data.discard,
		onProgress: options.onProgress ?? (() => {}),
	});
};
