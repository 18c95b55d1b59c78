import { withCodes } from "./error-codes.ts";

/**
 * Error codes of the export and import of tenants and users, for endpoints and for single users of an import. Separate from
 * the codes that browsers load, because no browser has a management key.
 *
 * @example
 * ```ts
 * const taken = refused.filter(({ code }) => code === TRANSFER_ERROR_CODES.USER_ID_TAKEN.code);
 * ```
 */
export const TRANSFER_ERROR_CODES = withCodes({
	TRANSFER_DISABLED: "Moving tenants and users is turned off; set management.transfer for the time of the move",
	TENANT_ID_TAKEN: "This id is another tenant's, or of one that is being deleted",
	INVALID_USER: "This is no user as the export writes one",
	USER_ID_TAKEN: "Another user has this id; leave it out to get a new one",
	ACCOUNT_TAKEN: "One of the accounts is another user's in this tenant",
	PASSWORD_HASH_NOT_ACCEPTED: "Nobody could sign in with this password hash; see transfer.acceptsPasswordHash",
	SECOND_FACTOR_NOT_MOVED:
		"Second factors are not moved, and without it the account would be weaker; turn it off first",
	BAN_NOT_MOVED: "Bans are not moved, and without it the user could sign in again; leave him out",
});
