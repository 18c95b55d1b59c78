import { withCodes } from "./error-codes.ts";

/**
 * Reasons why `moveUsersToTenant` does not move a user. They are reported in `collisions`, never thrown.
 *
 * @example
 * ```ts
 * const taken = collisions.filter(({ code }) => code === MOVE_COLLISIONS.EMAIL_TAKEN.code);
 * ```
 */
export const MOVE_COLLISIONS = withCodes({
	USER_NOT_FOUND: "The source has no such user. Check the id and `from`",
	USER_BANNED: "The user is banned. Lift the ban first, or leave the user out",
	USER_HAS_ROLE: "The user's role would be valid in the target too. Remove the role first, or set `keepRoles`",
	EMAIL_TAKEN: "Another user of the target has this email. Merge the two users first, or leave the user out",
	VALUE_TAKEN: "Another user of the target has this value. Change it first, or leave the user out",
	ACCOUNT_TAKEN: "Another user of the target has this account. Unlink it first, or leave the user out",
	ACCOUNT_NOT_ACCEPTED:
		"The target does not use the server that issued this account. Unlink it first, and link it again after the move",
	ROW_STAYS_BEHIND:
		"A row of the user refers to a row that stays in the source. Delete it first, or name its table in `discard`",
	ROW_OF_TENANT: "A row of the user belongs to its tenant. Delete it first, or name its table in `discard`",
	SECRET_UNREADABLE: "The second factor cannot be decrypted with the source's secret. Turn it off first",
	API_KEY_NOT_IN_DATABASE:
		"An API key is only in secondary storage. Delete it first, and create it again after the move",
});
