import type { Policies } from "./policies.ts";
import type { StoredPolicy } from "./policy-store.ts";
import type { PolicyChanges, PolicyRules } from "./rules.ts";

/**
 * The policy of a tenant, as the API returns it.
 *
 * @example
 * ```ts
 * const policy: TenantPolicy = await auth.api.getTenantPolicy({ query: { tenantId } });
 * ```
 */
export type TenantPolicy = {
	/** The tenant. */
	tenantId: string;
	/** The rules that hold: the tenant's own, else the application's defaults. */
	effective: PolicyRules;
	/** The tenant's own rules. Null if the stored ones cannot be read: then its users cannot sign in. */
	own: PolicyChanges | null;
	/** When the policy was last changed. Null if the tenant never had its own. */
	updatedAt: Date | null;
};

/** Selects the fields that the API returns. */
export const showPolicy = (
	tenantId: string,
	{ own, updatedAt }: StoredPolicy,
	{ effective }: Pick<Policies, "effective">,
): TenantPolicy => ({ tenantId, effective: effective(own ?? {}), own, updatedAt });

/** The OpenAPI schema of `TenantPolicy`. */
export const policyOpenAPI = {
	type: "object" as const,
	properties: {
		tenantId: { type: "string" as const, description: "The tenant" },
		effective: { type: "object" as const, description: "The rules that hold" },
		own: { type: "object" as const, nullable: true, description: "The tenant's own rules. Null if unreadable" },
		updatedAt: {
			type: "string" as const,
			format: "date-time",
			nullable: true,
			description: "When the policy was last changed",
		},
	},
	required: ["tenantId", "effective", "own", "updatedAt"],
};
