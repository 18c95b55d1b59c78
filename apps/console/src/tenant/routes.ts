import { createRoute, lazyRouteComponent, notFound } from "@tanstack/react-router";
import { signedInRoute } from "../app/root-route.ts";

/** The pages of one tenant, for operators and its own admins. */
const tenantRoute = createRoute({
	getParentRoute: () => signedInRoute,
	path: "/tenant/$tenantId",
	// the service refuses another tenant's pages anyway, alike whether it exists or not; this spares users an error for each part
	beforeLoad: ({ context: { viewer }, params: { tenantId } }) => {
		if (viewer.role !== "operator" && viewer.tenant?.id !== tenantId) throw notFound();
	},
});

const getParentRoute = () => tenantRoute;

const overview = createRoute({
	getParentRoute,
	path: "/",
	component: lazyRouteComponent(() => import("./overview/overview-page.tsx"), "OverviewPage"),
});

const users = createRoute({
	getParentRoute,
	path: "/users",
	validateSearch: ({ search, by }: Record<string, unknown>): { search?: string; by?: "email" | "name" } => ({
		...(typeof search === "string" && search !== "" ? { search } : {}),
		...(by === "email" || by === "name" ? { by } : {}),
	}),
	component: lazyRouteComponent(() => import("./users/users-page.tsx"), "UsersPage"),
});

const user = createRoute({
	getParentRoute,
	path: "/users/$userId",
	component: lazyRouteComponent(() => import("./user/user-page.tsx"), "UserPage"),
});

const providers = createRoute({
	getParentRoute,
	path: "/providers",
	component: lazyRouteComponent(() => import("./providers/providers-page.tsx"), "ProvidersPage"),
});

const provider = createRoute({
	getParentRoute,
	path: "/providers/$providerId",
	component: lazyRouteComponent(() => import("./providers/provider-page.tsx"), "ProviderPage"),
});

/** Where the test of a provider's credentials returns to, in its own tab. */
const providerTested = createRoute({
	getParentRoute,
	path: "/providers/$providerId/tested",
	validateSearch: (found: Record<string, unknown>): { "oauth-test"?: "ok" | "failed"; error?: string } => ({
		...(found["oauth-test"] === "ok" || found["oauth-test"] === "failed" ? { "oauth-test": found["oauth-test"] } : {}),
		...(typeof found.error === "string" ? { error: found.error } : {}),
	}),
	component: lazyRouteComponent(() => import("./providers/tested-page.tsx"), "TestedPage"),
});

const policy = createRoute({
	getParentRoute,
	path: "/policy",
	component: lazyRouteComponent(() => import("./policy/policy-page.tsx"), "PolicyPage"),
});

const branding = createRoute({
	getParentRoute,
	path: "/branding",
	component: lazyRouteComponent(() => import("./branding/branding-page.tsx"), "BrandingPage"),
});

const events = createRoute({
	getParentRoute,
	path: "/events",
	component: lazyRouteComponent(() => import("./events/events-page.tsx"), "EventsPage"),
});

const settings = createRoute({
	getParentRoute,
	path: "/settings",
	component: lazyRouteComponent(() => import("./settings/settings-page.tsx"), "SettingsPage"),
});

export const tenantRoutes = tenantRoute.addChildren([
	overview,
	users,
	user,
	providers,
	provider,
	providerTested,
	policy,
	branding,
	events,
	settings,
]);
