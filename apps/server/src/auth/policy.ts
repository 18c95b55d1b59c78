import type { BetterAuthPlugin } from "better-auth";
import { tenantPolicy } from "better-auth-tenants/policy";
import type { PolicyConfig } from "../config/policy.ts";

/** The policies of tenants, if TENANT_POLICY turns them on. */
export const policyPlugins = (policy: PolicyConfig): BetterAuthPlugin[] => (policy ? [tenantPolicy(policy)] : []);
