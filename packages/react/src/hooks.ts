import type { SessionState, TenantClient } from "./client.ts";
import { type MethodsState, useScope } from "./scope.ts";

/**
 * What `useTenant()` returns.
 *
 * @example
 * ```tsx
 * const { tenantId }: CurrentTenant = useTenant();
 * ```
 */
export type CurrentTenant = {
	/** The id that the provider was given, or null if the host of the page decides. */
	tenantId: string | null;
	/** The client that the provider was given. */
	authClient: TenantClient;
};

/**
 * Returns the tenant of the nearest `TenantProvider`. Throws without one.
 *
 * @example
 * ```tsx
 * const Footer = () => <footer>{useTenant().tenantId}</footer>;
 * ```
 */
export const useTenant = (): CurrentTenant => {
	const { tenantId, authClient } = useScope();
	return { tenantId, authClient };
};

/**
 * Returns the sign-in methods of the tenant. The provider loads them once.
 *
 * @example
 * ```tsx
 * const Providers = () => {
 * 	const { methods, isPending } = useSignInMethods();
 * 	return isPending ? <p>Loading…</p> : <p>{methods?.providers.map(({ name }) => name).join(", ")}</p>;
 * };
 * ```
 */
export const useSignInMethods = (): MethodsState => useScope().methods;

/**
 * Returns the session of the tenant: Better Auth's own `useSession()`, without sessions of other tenants. If the provider has a
 * `tenantId`, a session that does not name this tenant is null. `isPending` is true until the session was loaded once, and not when
 * it is loaded again.
 *
 * @example
 * ```tsx
 * const Home = () => {
 * 	const { data: session, isPending } = useTenantSession();
 * 	if (isPending) return <p>Loading…</p>;
 * 	return session ? <p>Welcome, {session.user.name}</p> : <SignIn />;
 * };
 * ```
 */
export const useTenantSession = (): SessionState => useScope().session;
