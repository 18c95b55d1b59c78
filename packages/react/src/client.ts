import type { createAuthClient } from "better-auth/react";

/**
 * A user of the current tenant, as Better Auth's session contains it.
 *
 * @example
 * ```tsx
 * const Greeting = ({ user }: { user: SignedInUser }) => <p>Welcome, {user.name}</p>;
 * ```
 */
export type SignedInUser = {
	/** The id of the user. The same email in another tenant has another one. */
	id: string;
	/** The name that the user chose. */
	name: string;
	/** The address, unique in its tenant. */
	email: string;
	/** The address of a picture. */
	image?: string | null | undefined;
};

/**
 * A session of the current tenant.
 *
 * @example
 * ```tsx
 * const Since = ({ session }: { session: TenantSession }) => <p>Signed in as {session.user.email}</p>;
 * ```
 */
export type TenantSession = {
	/** The signed-in user. */
	user: SignedInUser;
	/** Better Auth's session. Its `tenantId` is set if the server runs `tenantAuth()`. */
	session: { id: string; userId: string; expiresAt: Date };
};

/**
 * What `useTenantSession()` returns, and what this package needs of Better Auth's `useSession()`.
 *
 * @example
 * ```tsx
 * const { data, isPending }: SessionState = useTenantSession();
 * ```
 */
export type SessionState = {
	/** The session, or null if nobody is signed in to this tenant. */
	data: TenantSession | null;
	/** Whether the session is being loaded for the first time. */
	isPending: boolean;
	/** Why the session could not be loaded, or null. */
	error: Error | null;
	/** Loads the session again. */
	refetch: () => Promise<void>;
};

/**
 * A client of `createAuthClient()` from `better-auth/react`, with any plugins. The components need no client plugin of a
 * sign-in method: they call its endpoints with `$fetch`.
 *
 * @example
 * ```tsx
 * const client: TenantClient = createAuthClient({ plugins: [tenantAuthClient()] });
 * ```
 */
export type TenantClient = Pick<ReturnType<typeof createAuthClient>, "$fetch" | "$store"> & {
	/** Better Auth's hook for the session. */
	useSession: () => SessionState;
};
