import { queryOptions } from "@tanstack/react-query";
import { authClient } from "./client.ts";
import { unwrap } from "./problem.ts";

/** The user's own session. Read from the database: the cookie may have an older copy. */
export const sessionQuery = queryOptions({
	queryKey: ["account", "session"],
	queryFn: () => unwrap(authClient.getSession({ query: { disableCookieCache: true } })),
});

/** How the user can sign in. */
export const accountsQuery = queryOptions({
	queryKey: ["account", "accounts"],
	queryFn: () => unwrap(authClient.listAccounts()),
});

export const sessionsQuery = queryOptions({
	queryKey: ["account", "sessions"],
	queryFn: () => unwrap(authClient.listSessions()),
});

export const passkeysQuery = queryOptions({
	queryKey: ["account", "passkeys"],
	queryFn: () => unwrap(authClient.passkey.listUserPasskeys()),
});

/** The ways to sign in that this tenant, or the platform, offers. */
export const methodsQuery = queryOptions({
	queryKey: ["account", "methods"],
	queryFn: () => unwrap(authClient.tenant.methods()),
	staleTime: 60_000,
});
