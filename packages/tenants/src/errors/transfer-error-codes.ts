import { withCodes } from "./error-codes.ts";

/** Error codes of the export and import of tenants and users. Separate from the codes that browsers load: none has a management key. */
export const TRANSFER_ERROR_CODES = withCodes({
	TRANSFER_DISABLED: "Transfer is turned off. Set management.transfer until the tenants are moved",
	TENANT_ID_TAKEN: "Another tenant has this id, or a tenant with this id is being deleted",
	INVALID_USER: "Not a valid exported user",
	USER_ID_TAKEN: "Another user has this id. Remove it to get a new one",
	ACCOUNT_TAKEN: "Another user of this tenant has one of the accounts",
	PASSWORD_HASH_NOT_ACCEPTED: "The user could not sign in with this password hash. See transfer.acceptsPasswordHash",
	SECOND_FACTOR_NOT_MOVED:
		"Second factors are not transferred, and the account would be weaker without it. Turn it off first",
	BAN_NOT_MOVED: "Bans are not transferred, and the user could sign in again without it. Remove the user",
});
