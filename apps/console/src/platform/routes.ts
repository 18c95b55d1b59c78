import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { TenantSearch } from "../api/tenants.ts";
import { operatorRoute } from "../app/root-route.ts";

const getParentRoute = () => operatorRoute;

const overview = createRoute({
	getParentRoute,
	path: "/overview",
	component: lazyRouteComponent(() => import("./overview/overview-page.tsx"), "OverviewPage"),
});

const STATUSES = ["active", "suspended", "archived"] as const;

const tenants = createRoute({
	getParentRoute,
	path: "/tenants",
	validateSearch: ({ search, by, status, cursor }: Record<string, unknown>): TenantSearch => {
		const known = STATUSES.find((one) => one === status);
		return {
			...(typeof search === "string" && search !== "" ? { search } : {}),
			...(by === "slug" || by === "name" ? { by } : {}),
			...(known ? { status: known } : {}),
			...(typeof cursor === "string" && cursor !== "" ? { cursor } : {}),
		};
	},
	component: lazyRouteComponent(() => import("./tenants/tenants-page.tsx"), "TenantsPage"),
});

const events = createRoute({
	getParentRoute,
	path: "/events",
	component: lazyRouteComponent(() => import("./events/events-page.tsx"), "EventsPage"),
});

export const platformRoutes = [overview, tenants, events] as const;
