import type { BetterAuthDBSchema } from "@better-auth/core/db";
import { defineService } from "../../engine/service.ts";
import type { RawAdapter } from "../../scope/data/raw-adapter.ts";
import type { SsoProviderRow } from "./provider-authority.ts";
import { SSO_TABLE } from "./sealed-providers.ts";

/**
 * Lists the ids of the SSO providers that a tenant's users can use. Runs one query if the SSO plugin is installed. With
 * domain verification, a provider whose domain is not verified signs nobody in, so it is left out.
 */
export const createSsoMethods = (adapter: Pick<RawAdapter, "findMany">, schema: BetterAuthDBSchema) => {
	const requiresVerification = schema[SSO_TABLE]?.fields.domainVerified !== undefined;
	return async (tenantId: string): Promise<string[]> => {
		if (!(SSO_TABLE in schema)) return [];
		// not the scoped adapter, which would decrypt the settings
		const rows = await adapter.findMany<SsoProviderRow & { tenantId: string }>({
			model: SSO_TABLE,
			where: [{ field: "tenantId", value: tenantId }],
			select: ["tenantId", "providerId", ...(requiresVerification ? ["domainVerified"] : [])],
			sortBy: { field: "providerId", direction: "asc" },
			limit: 1000,
		});
		return (
			rows
				// databases compare loosely (case), but only the exact tenant is meant
				.filter((row) => row.tenantId === tenantId && (!requiresVerification || row.domainVerified === true))
				.map(({ providerId }) => providerId)
		);
	};
};

/** The ids of the SSO providers that a tenant's users can use. */
export const ssoMethodsOf = defineService<(tenantId: string) => Promise<string[]>>("ssoMethods");
