/**
 * The only endpoint that is served while the storage is down. Any other may change a user or a session in the database, and the
 * storage would come back with the old one: with a role that was taken away, for example.
 */
export const SESSION_CHECK = "/get-session";

/**
 * The endpoints that list or end the sessions of a user. Elsewhere the engine reads the list to add a session to it, or to copy
 * a changed user into each. A session that ends meanwhile must not be copied from the database into the storage.
 */
export const SESSION_LIST_USERS: ReadonlySet<string> = new Set([
	"/list-sessions",
	"/revoke-session",
	"/revoke-sessions",
	"/revoke-other-sessions",
	"/change-password",
	"/reset-password",
	"/delete-user",
	"/delete-user/callback",
	"/admin/list-user-sessions",
	"/admin/revoke-user-session",
	"/admin/revoke-user-sessions",
	"/admin/ban-user",
	"/admin/remove-user",
	"/admin/set-user-password",
]);
