import type { MOVE_COLLISIONS } from "../../errors/move-error-codes.ts";

/**
 * A reason why a user cannot move. Contains no email, name or secret.
 *
 * @example
 * ```ts
 * const show = ({ userId, code, table }: MoveCollision) => `${userId}: ${code} (${table ?? "user"})`;
 * ```
 */
export type MoveCollision = {
	/** The user that cannot move. */
	userId: string;
	/** A code of `MOVE_COLLISIONS`. */
	code: keyof typeof MOVE_COLLISIONS;
	/** What is wrong and how to fix it. */
	message: string;
	/** The table of the row that cannot move, if it is not the user's own row. */
	table?: string;
	/** The field that is taken, or the field that refers to a row that stays behind. */
	field?: string;
};

type Reason = { code: keyof typeof MOVE_COLLISIONS; message: string };

export const collide = (
	userId: string,
	{ code, message }: Reason,
	place: { table?: string; field?: string } = {},
): MoveCollision => ({ userId, code, message, ...place });
