import { parseResponse } from "hono/client";
import { Suspense, use, useMemo } from "react";
import { api } from "./api.ts";
import { authClient, readTenant, type Tenant } from "./auth-client.ts";
import { Credentials } from "./credentials.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Home } from "./home.tsx";
import { Overview } from "./overview.tsx";

// once for the page: the host does not change
const loadingTenant = readTenant();

export const App = () => (
	<ErrorBoundary>
		<Suspense fallback={<main className="quiet">Loading…</main>}>
			<Page />
		</Suspense>
	</ErrorBoundary>
);

const Page = () => {
	const tenant = use(loadingTenant);
	return tenant ? <TenantPage tenant={tenant} /> : <Overview />;
};

const TenantPage = ({ tenant }: { tenant: Tenant }) => {
	const { data: session, isPending } = authClient.useSession();
	const userId = session?.user.id;
	const loadingUsers = useMemo(() => (userId ? parseResponse(api.users.$get()) : null), [userId]);
	return (
		<main style={{ "--hue": Number(tenant.branding.hue) }}>
			<title>{tenant.name}</title>
			<header>
				<span className="tenant">{tenant.name}</span>
				<code>{location.host}</code>
			</header>
			{session && loadingUsers ? (
				<Home tenant={tenant} user={session.user} loadingUsers={loadingUsers} />
			) : (
				!isPending && <Credentials tenant={tenant} />
			)}
		</main>
	);
};
