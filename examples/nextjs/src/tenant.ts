import { APIError } from "better-auth/api";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { cache } from "react";
import { auth } from "./auth.ts";

/** Returns the tenant of a page, by its host, and shows the 404 page if there is none. Read once for each request. */
export const tenantOfPage = cache(async () => {
	const tenant = await auth.api.getCurrentTenant({ headers: await headers() }).catch((error: unknown) => {
		if (error instanceof APIError && error.statusCode === 404) return null;
		throw error;
	});
	return tenant ?? notFound();
});
