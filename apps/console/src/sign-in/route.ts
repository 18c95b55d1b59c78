import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { consoleQuery } from "../api/console.ts";
import { leadAside } from "../app/lead-aside.ts";
import { rootRoute } from "../app/root-route.ts";
import { PLACE } from "../place.ts";
import { isConsolePath } from "./console-path.ts";
import { hostedSignIn } from "./hosted-sign-in.ts";

const getParentRoute = () => rootRoute;

const readReturnTo = ({ returnTo }: Record<string, unknown>): { returnTo?: string } =>
	isConsolePath(returnTo) ? { returnTo } : {};

/** The sign-in of the console, for operators and for services without sign-in pages. */
const signIn = createRoute({
	getParentRoute,
	path: "/sign-in",
	validateSearch: readReturnTo,
	beforeLoad: async ({ context, search: { returnTo } }) => {
		const viewer = await context.queryClient.ensureQueryData(consoleQuery).catch(leadAside);
		if (viewer) throw redirect({ to: returnTo ?? "/" });
		if (PLACE.signIn) throw redirect({ href: hostedSignIn(returnTo), reloadDocument: true });
	},
	component: lazyRouteComponent(() => import("./sign-in-page.tsx"), "SignInPage"),
});

/** For a session that lacks the second factor that its tenant requires. */
const secondFactor = createRoute({
	getParentRoute,
	path: "/second-factor",
	validateSearch: readReturnTo,
	component: lazyRouteComponent(() => import("../second-factor/second-factor-page.tsx"), "SecondFactorPage"),
});

/** For a session in which an operator impersonates a user. */
const impersonating = createRoute({
	getParentRoute,
	path: "/impersonating",
	component: lazyRouteComponent(() => import("./impersonating-page.tsx"), "ImpersonatingPage"),
});

/** For a user of the platform who is not an operator. */
const noAccess = createRoute({
	getParentRoute,
	path: "/no-access",
	component: lazyRouteComponent(() => import("./no-access-page.tsx"), "NoAccessPage"),
});

export const signInRoutes = [signIn, secondFactor, impersonating, noAccess] as const;
