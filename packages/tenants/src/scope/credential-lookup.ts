import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { endpointOf } from "../engine/endpoints.ts";
import { apiKeyColumns, CREDENTIAL_COLUMNS, type ReadColumns } from "./credential-columns.ts";
import type { RawAdapter } from "./raw-adapter.ts";

/**
 * Finds the tenant of requests that carry neither hint nor session but a random value that one tenant has: an API key, a
 * SCIM token, a device code, an OAuth client's id. One unscoped look-up of that value, or of its hash. It says where to
 * look and proves nothing: the plugin then verifies the value with that tenant's rows and secrets.
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
	/** Answers a tenant only where all that was found is one tenant's. */
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
