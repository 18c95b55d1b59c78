export { POLICY_CODES as POLICY_ERROR_CODES } from "./features/policy/error-codes.ts";
export type { SignInMethod } from "./features/policy/methods.ts";
export type { TenantPolicyOptions } from "./features/policy/options.ts";
export { tenantPolicy } from "./features/policy/plugin.ts";
export type { PolicyChanges, PolicyRules } from "./features/policy/rules.ts";
export type { TenantPolicy } from "./features/policy/tenant-policy.ts";
