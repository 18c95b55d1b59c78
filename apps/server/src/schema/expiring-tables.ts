/**
 * How long ago a row must have expired, by the database's clock, before it is deleted. Processes compare with their own
 * clocks, so a session may be valid a little longer.
 */
const HOUR = "1 hour";

/** Tables whose rows mean nothing once `expiresAt` has passed. Each has an index on it. */
export const SWEPT_TABLES = {
	session: HOUR,
	verification: HOUR,
	// anyone can create them
	deviceCode: HOUR,
	oauthAccessToken: HOUR,
	// deleting one deletes its access tokens, of which the last is valid for an hour more
	oauthRefreshToken: "1 day",
	// only proves that an assertion was used, which is refused by its own expiry
	oauthClientAssertion: HOUR,
	// the tenant's admins see for 30 days who did not accept
	tenantInvitation: "30 days",
} as const;

export type SweptTable = keyof typeof SWEPT_TABLES;

/** Dates of rows that stay, with the reason. A test fails for a date in neither list. */
export const KEPT_DATES: Record<string, string> = {
	"user.banExpires": "the user exists without the ban",
	"account.accessTokenExpiresAt": "the account exists without the provider's token",
	"account.refreshTokenExpiresAt": "the account exists without the provider's token",
	"apikey.expiresAt": "users see which of their keys expired, and Better Auth deletes one that is used",
	"invitation.expiresAt": "organizations see who did not accept",
	"jwks.expiresAt": "tokens that were signed before are verified with it",
	"oauthRefreshToken.rotationReplayExpiresAt": "the row goes by its expiresAt",
	"scimConnectionBinding.decommissionLeaseExpiresAt": "a lease, which is taken again",
	"scimManagedCredential.expiresAt": "operators see which credentials expired",
	"twoFactor.lockedUntil": "the second factor exists without the lock",
};
