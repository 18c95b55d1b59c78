import type { BetterAuthClientPlugin } from "better-auth/client";
import { SECOND_FACTOR_ERROR_CODES } from "../../errors/second-factor-error-codes.ts";
import { POLICY_ERROR_CODES } from "./error-codes.ts";
import type { tenantPolicy } from "./plugin.ts";

/**
 * The client plugin of `tenantPolicy()`. `authClient.tenant.policy.get({ query: { tenantId } })` reads a policy, and
 * `authClient.tenant.policy.update({ tenantId, policy })` changes it. It also adds `authClient.tenant.secondFactor()` and
 * `authClient.tenant.secondFactor.challenge()`.
 *
 * @example
 * ```ts
 * const authClient = createAuthClient({ plugins: [tenantAuthClient(), tenantPolicyClient()] });
 * ```
 */
export const tenantPolicyClient = () =>
	({
		id: "tenant-policy-client",
		$InferServerPlugin: {} as ReturnType<typeof tenantPolicy>,
		$ERROR_CODES: { ...POLICY_ERROR_CODES, ...SECOND_FACTOR_ERROR_CODES },
		pathMethods: {
			"/tenant/policy/get": "GET",
			"/tenant/policy/update": "POST",
			"/tenant/second-factor": "GET",
			"/tenant/second-factor/challenge": "POST",
		},
		// the challenge ends the session
		atomListeners: [{ matcher: (path) => path === "/tenant/second-factor/challenge", signal: "$sessionSignal" }],
	}) satisfies BetterAuthClientPlugin;
