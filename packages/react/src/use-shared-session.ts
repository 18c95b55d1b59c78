import { useMemo, useState } from "react";
import type { SessionState, TenantClient } from "./client.ts";

/**
 * Better Auth's session, as far as it belongs to the tenant. Better Auth keeps the last session while it loads the next one, and
 * also if the server refuses to return it, so a session of another tenant can be there.
 */
export const useSharedSession = (authClient: TenantClient, tenantId: string | null): SessionState => {
	const { data, isPending, error, refetch } = authClient.useSession();
	// Better Auth loads the session again when the tab gets the focus, and says "pending" if nobody is signed in. A page that shows
	// its form only when nothing is pending would lose it just when the user comes back with a code.
	const [wasLoaded, setLoaded] = useState(false);
	if (!isPending && !wasLoaded) setLoaded(true);
	const isFirst = isPending && !wasLoaded;
	const isOfTenant = tenantId === null || tenantOf(data?.session) === tenantId;
	return useMemo(
		() => ({ data: isOfTenant ? data : null, isPending: isFirst, error, refetch: () => refetch() }),
		[data, isOfTenant, isFirst, error, refetch],
	);
};

const tenantOf = (session: object | undefined): unknown =>
	session && "tenantId" in session ? session.tenantId : undefined;
