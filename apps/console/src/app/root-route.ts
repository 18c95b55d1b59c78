import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { type Console, consoleQuery } from "../api/console.ts";
import { leadAside } from "./lead-aside.ts";
import { Shell } from "./shell.tsx";

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet });

/** Everything behind the sign-in. Its children find `viewer` in their context. */
export const signedInRoute = createRoute({
	getParentRoute: () => rootRoute,
	id: "signed-in",
	beforeLoad: async ({ context, location }): Promise<{ viewer: Console }> => {
		const viewer = await context.queryClient.ensureQueryData(consoleQuery).catch(leadAside);
		if (!viewer) throw redirect({ to: "/sign-in", search: { returnTo: location.href } });
		return { viewer };
	},
	component: Shell,
});

/** Pages for operators only. The service refuses everybody else anyway; this spares them the error. */
export const operatorRoute = createRoute({
	getParentRoute: () => signedInRoute,
	id: "operator",
	beforeLoad: ({ context: { viewer } }) => {
		if (viewer.role !== "operator") throw redirect({ to: "/" });
	},
});

/** Leads everybody to the first page that is theirs. */
export const homeRoute = createRoute({
	getParentRoute: () => signedInRoute,
	path: "/",
	beforeLoad: ({ context: { viewer } }) => {
		if (viewer.role === "operator") throw redirect({ to: "/overview" });
		if (viewer.role === "member" || !viewer.tenant) throw redirect({ to: "/account" });
		throw redirect({ to: "/tenant/$tenantId", params: { tenantId: viewer.tenant.id } });
	},
});
