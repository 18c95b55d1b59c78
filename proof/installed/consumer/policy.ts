import { betterAuth } from "better-auth";
import { twoFactor } from "better-auth/plugins";
import { withTenants } from "better-auth-tenants";
import {
	type PolicyChanges,
	type TenantPolicy,
	type TenantPolicyOptions,
	tenantPolicy,
} from "better-auth-tenants/policy";

const options: TenantPolicyOptions = { defaults: { signUp: "invitation", minPasswordLength: 12 } };
// @ts-expect-error there is no such rule
export const unknown: PolicyChanges = { color: "red" };

export const auth = betterAuth({ plugins: withTenants({}, [twoFactor(), tenantPolicy(options)]) });

export const changePolicy = async (headers: Headers): Promise<TenantPolicy> => {
	const policy: PolicyChanges = { secondFactor: "required-for-admins", methods: null };
	// @ts-expect-error a policy is of one tenant
	await auth.api.updateTenantPolicy({ body: { policy }, headers });
	return auth.api.updateTenantPolicy({ body: { tenantId: "acme-id", policy }, headers });
};
