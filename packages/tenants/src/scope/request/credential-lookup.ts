import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { endpointOf } from "../../endpoints/endpoints.ts";
import type { RawAdapter } from "../data/raw-adapter.ts";
import { apiKeyColumns, CREDENTIAL_COLUMNS, type ReadColumns } from "./credential-columns.ts";

/**
 * Finds the tenant of a request without hint and session by a random value that only one tenant has: an API key, a SCIM
 * token, a device code or an OAuth client id. Runs one unscoped query for that value or its hash. The result is not
 * proof: the plugin then verifies the value with that tenant's rows and secrets.
 */
export const createCredentialLookup = (
	context: Pick<AuthContext, "tables" | "options">,
	adapter: Pick<RawAdapter, "findMany">,
) => {
	const readKeys = apiKeyColumns(context.options.plugins ?? []);
	const readOthers: ReadColumns = (ctx) => {
		const { carries } = endpointOf(ctx.path);
		return carries === null ? [] : CREDENTIAL_COLUMNS[carries](ctx);
	};
	/** Returns a tenant only if all matching rows belong to it. */
	return async (ctx: GenericEndpointContext): Promise<string | null> => {
		for (const read of [readKeys, readOthers]) {
			for (const { model, field, values } of await read(ctx)) {
				if (!context.tables[model] || values.length === 0) continue;
				const rows = await adapter.findMany<{ tenantId: string }>({
					model,
					where: [{ field, operator: "in", value: values }],
					select: ["tenantId"],
					limit: 2,
				});
				const owners = new Set(rows.map(({ tenantId }) => tenantId));
				if (owners.size === 1) return [...owners][0] ?? null;
			}
		}
		return null;
	};
};

export type CredentialLookup = ReturnType<typeof createCredentialLookup>;
