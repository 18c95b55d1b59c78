import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signedInRoute } from "../app/root-route.ts";

const account = createRoute({
	getParentRoute: () => signedInRoute,
	path: "/account",
	component: lazyRouteComponent(() => import("./account-page.tsx"), "AccountPage"),
});

export const accountRoutes = [account] as const;
