import type { ResolveTenantId } from "./hint.ts";

/** Calls resolvers in order. The first tenant id wins. */
export const firstOf =
	(...resolvers: ResolveTenantId[]): ResolveTenantId =>
	async (request) => {
		for (const resolve of resolvers) {
			const tenantId = await resolve(request);
			if (tenantId) return tenantId;
		}
		return null;
	};
