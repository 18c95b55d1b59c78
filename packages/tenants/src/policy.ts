export { POLICY_ERROR_CODES } from "./policy/error-codes.ts";
export type { SignInMethod } from "./policy/methods.ts";
export type { TenantPolicyOptions } from "./policy/options.ts";
export { tenantPolicy } from "./policy/plugin.ts";
export type { PolicyChanges, PolicyRules } from "./policy/rules.ts";
export type { TenantPolicy } from "./policy/tenant-policy.ts";
export { SECOND_FACTOR_ERROR_CODES } from "./second-factor-error-codes.ts";
