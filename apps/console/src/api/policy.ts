import { queryOptions } from "@tanstack/react-query";
import type { TenantPolicy } from "better-auth-tenants/policy";
import { authClient } from "./client.ts";
import { unwrap } from "./problem.ts";

const readPolicy = (tenantId: string) =>
	unwrap(authClient.$fetch<TenantPolicy>("/tenant/policy/get", { query: { tenantId } }));

export type RuleName = keyof TenantPolicy["effective"];

export const policyQuery = (tenantId: string) =>
	queryOptions({ queryKey: ["tenant", tenantId, "policy"], queryFn: () => readPolicy(tenantId) });

/** Changes one rule. Null returns to the inherited value. `force` accepts that the caller is locked out. */
export const changeRule = (tenantId: string, rule: RuleName, value: unknown, force: boolean) =>
	unwrap(
		authClient.$fetch<TenantPolicy>("/tenant/policy/update", {
			method: "POST",
			body: { tenantId, policy: { [rule]: value }, ...(force ? { force } : {}) },
		}),
	);
