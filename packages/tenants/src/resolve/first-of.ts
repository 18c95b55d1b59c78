import type { ResolveTenantId } from "./hint.ts";

/** Asks resolvers one after the other; the first that answers wins. */
export const firstOf =
	(...resolvers: ResolveTenantId[]): ResolveTenantId =>
	async (request) => {
		for (const resolve of resolvers) {
			const tenantId = await resolve(request);
			if (tenantId) return tenantId;
		}
		return null;
	};
