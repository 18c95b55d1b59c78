import { error } from "@sveltejs/kit";
import type { Handle } from "@sveltejs/kit/hooks";
import { APIError } from "better-auth/api";
import { createTenantHandler } from "better-auth-tenants";
import { auth, tenantOf } from "./lib/server/auth.ts";

const handler = createTenantHandler(auth);

/** Serves Better Auth, and finds the tenant and the session of every page. */
export const handle: Handle = async ({ event, resolve }) => {
	if (event.url.pathname.startsWith("/api/auth/")) return handler(event.request);
	const { headers } = event.request;
	event.locals.tenant = await tenantOf(headers).catch((problem: unknown) => {
		// a host of nobody
		if (problem instanceof APIError && problem.statusCode === 404) error(404, "Not found: there is no such tenant");
		throw problem;
	});
	// null for a session of another tenant than the host's
	event.locals.session = await auth.api.getSession({ headers });
	return resolve(event);
};
