import type { SignInMethods } from "better-auth-tenants";
import { type ReactNode, useMemo, useState } from "react";
import type { TenantClient } from "./client.ts";
import { ScopeContext } from "./scope.ts";
import { useSend } from "./send.ts";
import { ENGLISH_TEXTS, type Texts } from "./texts.ts";
import { useLoadedMethods } from "./use-loaded-methods.ts";
import { useSharedSession } from "./use-shared-session.ts";

/**
 * Properties of `TenantProvider`.
 *
 * @example
 * ```tsx
 * const props: TenantProviderProps = { authClient, tenantId, children: <SignIn /> };
 * ```
 */
export type TenantProviderProps = {
	/** The client of `createAuthClient()` with `tenantAuthClient()`. Create it once, outside of components. */
	authClient: TenantClient;
	/** The id of the tenant. Leave it out if the server knows the tenant by the host of the page. */
	tenantId?: string | undefined;
	/** The header that carries the tenant id. Must be the server's `tenantHeader`, and is `x-tenant-id` by default. */
	tenantHeader?: string;
	/** The texts of the components. English by default. */
	texts?: Texts;
	/** Origins besides the page's own to which `returnTo` may lead. The server must trust them, too. None by default. */
	allowedOrigins?: readonly string[];
	/** The methods of this tenant, if the server has read them already. Used until `tenantId` changes. */
	initialMethods?: SignInMethods | undefined;
	/** Everything that uses the tenant. It is mounted again when the tenant changes. */
	children?: ReactNode;
};

/**
 * Makes one tenant known to the hooks and components below it. Loads the tenant's sign-in methods and the session once. When `tenantId` or
 * `authClient` changes, everything below is mounted again: the state of the previous tenant is gone before the next one is shown,
 * and its requests are aborted.
 *
 * @example
 * ```tsx
 * const authClient = createAuthClient({ plugins: [tenantAuthClient()] });
 *
 * const App = () => (
 * 	<TenantProvider authClient={authClient} tenantId="acme-id">
 * 		<SignIn />
 * 	</TenantProvider>
 * );
 * ```
 */
export const TenantProvider = (props: TenantProviderProps): ReactNode => {
	const { authClient, tenantId = null, tenantHeader = "x-tenant-id", initialMethods, children } = props;
	const [shown, setShown] = useState({ authClient, tenantId, turn: 0 });
	if (shown.authClient !== authClient || shown.tenantId !== tenantId) {
		// during rendering: React starts again with the new turn, before anything below renders with the old one
		setShown({ authClient, tenantId, turn: shown.turn + 1 });
		return null;
	}
	return (
		<TenantScope
			key={shown.turn}
			authClient={authClient}
			tenantId={tenantId}
			tenantHeader={tenantHeader}
			texts={props.texts ?? ENGLISH_TEXTS}
			allowedOrigins={props.allowedOrigins ?? NO_ORIGINS}
			// those of the first tenant, whatever the application passes later
			initialMethods={shown.turn === 0 ? initialMethods : undefined}
		>
			{children}
		</TenantScope>
	);
};

const NO_ORIGINS: readonly string[] = [];

type ScopeProps = {
	authClient: TenantClient;
	tenantId: string | null;
	tenantHeader: string;
	texts: Texts;
	allowedOrigins: readonly string[];
	initialMethods: SignInMethods | undefined;
	children: ReactNode;
};

/** One tenant. It never changes its tenant: it is replaced. */
const TenantScope = (props: ScopeProps): ReactNode => {
	const { authClient, tenantId, tenantHeader, texts, allowedOrigins, initialMethods, children } = props;
	const send = useSend(authClient, tenantId, tenantHeader);
	const methods = useLoadedMethods(send, texts, initialMethods ?? null);
	const session = useSharedSession(authClient, tenantId);
	const scope = useMemo(
		() => ({ authClient, tenantId, texts, allowedOrigins, methods, session, send }),
		[authClient, tenantId, texts, allowedOrigins, methods, session, send],
	);
	return <ScopeContext value={scope}>{children}</ScopeContext>;
};
