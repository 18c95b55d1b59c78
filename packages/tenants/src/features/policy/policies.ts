import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { getCurrentDBAdapterAsyncLocalStorage } from "@better-auth/core/context";
import { APIError, BetterAuthError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { knownTenantsOf, tenantCacheOf } from "../../scope/tenants/known-tenants.ts";
import { POLICY_ERROR_CODES } from "./error-codes.ts";
import { createPolicyStore, type StoredPolicy } from "./policy-store.ts";
import { effectiveRules, type PolicyChanges, type PolicyRules } from "./rules.ts";

export type Policies = Awaited<ReturnType<typeof createPolicies>>;

/** The policies of all tenants, cached for `tenantCache.maxAge`. */
export const createPolicies = async (context: AuthContext, defaults: PolicyChanges) => {
	const { adapter, logger } = context;
	const known = knownTenantsOf({ context });
	const cache = tenantCacheOf({ context });
	const cached = new BoundedCache<PolicyRules>(cache);
	const transactions = await getCurrentDBAdapterAsyncLocalStorage();
	const storeOf = (tenantId: string) => createPolicyStore(adapter, tenantId);

	const rulesOf = (tenantId: string, { own }: StoredPolicy): PolicyRules => {
		if (own) return effectiveRules(defaults, own);
		logger.error(
			`tenantPolicy: the stored policy of tenant ${tenantId} cannot be read. Its users cannot sign in. Set it again with POST /tenant/policy/update, or update this package if a newer version wrote it.`,
		);
		throw APIError.from("SERVICE_UNAVAILABLE", POLICY_ERROR_CODES.POLICY_UNREADABLE);
	};

	const openStore = async (tenantId: string) => {
		if (tenantId === PLATFORM || !(await known.isOpen(tenantId)))
			throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
		return storeOf(tenantId);
	};

	return {
		/**
		 * The rules that hold in a tenant. Null on the platform, which has no policy. Runs one query if they are not cached.
		 * Throws if they cannot be read.
		 */
		of: async (tenantId: string): Promise<PolicyRules | null> =>
			tenantId === PLATFORM
				? null
				: cached.getOrLoad(
						tenantId,
						async () => rulesOf(tenantId, await storeOf(tenantId).find()),
						// a transaction may read an older state of the database than the last change
						() => !transactions.getStore()?.isTransactionActive,
					),
		/** The stored policy of a tenant, not cached. Throws for a missing tenant. */
		read: async (tenantId: string): Promise<StoredPolicy> => (await openStore(tenantId)).find(),
		/** Changes the policy of a tenant. It takes effect at once in this process. Throws for a missing tenant. */
		change: async (
			tenantId: string,
			changes: PolicyChanges,
			check: (next: PolicyRules) => Promise<void>,
		): Promise<StoredPolicy> => {
			const store = await openStore(tenantId);
			try {
				return await store.change(changes, async (own) => check(effectiveRules(defaults, own)));
			} finally {
				cached.delete(tenantId);
			}
		},
		effective: (own: PolicyChanges): PolicyRules => effectiveRules(defaults, own),
	};
};

type OnContext = { policies: Policies; guard: (ctx: GenericEndpointContext) => Promise<void> };

/** The policies, or undefined without `tenantPolicy()`. */
export const findPolicies = (context: object): Policies | undefined =>
	(context as { tenantPolicy?: OnContext }).tenantPolicy?.policies;

/** Reads the policies from the context. Each instance of Better Auth has its own. */
export const policiesOf = (ctx: Pick<GenericEndpointContext, "context">): Policies => onContext(ctx).policies;

/** Reads what guards requests from the context. */
export const guardOf = (ctx: Pick<GenericEndpointContext, "context">): OnContext["guard"] => onContext(ctx).guard;

const onContext = ({ context }: Pick<GenericEndpointContext, "context">): OnContext => {
	const { tenantPolicy } = context as typeof context & { tenantPolicy?: OnContext };
	if (!tenantPolicy)
		throw new BetterAuthError("tenantPolicy: the context of Better Auth was replaced, so policies cannot be enforced");
	return tenantPolicy;
};
