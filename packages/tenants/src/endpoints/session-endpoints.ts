/**
 * The only endpoint that is served while the storage is down. Any other may change a user or a session in the database, and the
 * storage would come back with the old one: with a role that was taken away, for example.
 */
export const SESSION_CHECK = "/get-session";

/** Ends the sessions of a user, except the one of the request. */
export const REVOKE_OTHERS = "/revoke-other-sessions";
