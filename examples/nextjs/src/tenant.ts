import { APIError } from "better-auth/api";
import { notFound } from "next/navigation";
import { cache } from "react";
import { auth } from "./auth.ts";

/** Returns the tenant of a page, and shows the 404 page if there is none. Read once for each request. */
export const tenantOf = cache(async (params: Promise<{ slug: string }>) => {
	const { slug } = await params;
	const tenant = await auth.api.getTenant({ query: { slug } }).catch((error: unknown) => {
		if (error instanceof APIError && error.statusCode === 404) return null;
		throw error;
	});
	return tenant ?? notFound();
});
