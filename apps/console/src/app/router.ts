import { createRouter } from "@tanstack/react-router";
import { accountRoutes } from "../account/routes.ts";
import { PLACE } from "../place.ts";
import { platformRoutes } from "../platform/routes.ts";
import { signInRoutes } from "../sign-in/route.ts";
import { tenantRoutes } from "../tenant/routes.ts";
import { Failed } from "./failed.tsx";
import { NotFound } from "./not-found.tsx";
import { queryClient } from "./query-client.ts";
import { homeRoute, operatorRoute, rootRoute, signedInRoute } from "./root-route.ts";

const routeTree = rootRoute.addChildren([
	...signInRoutes,
	signedInRoute.addChildren([homeRoute, operatorRoute.addChildren(platformRoutes), tenantRoutes, ...accountRoutes]),
]);

export const router = createRouter({
	routeTree,
	basepath: PLACE.console,
	context: { queryClient },
	defaultPreload: "intent",
	defaultErrorComponent: Failed,
	defaultNotFoundComponent: NotFound,
	scrollRestoration: false,
});

declare module "@tanstack/react-router" {
	interface Register {
		router: typeof router;
	}
}
