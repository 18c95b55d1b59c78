import type { GenericEndpointContext } from "@better-auth/core";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { rememberApprovals } from "../../engine/device-approvals.ts";
import { type Grant, guardGrants } from "../../engine/oauth-grants.ts";
import { defineService } from "../../engine/service.ts";
import { PLATFORM } from "../pin/platform.ts";

/** Whether a grant must be refused. */
export type GrantRule = (tenantId: string, grant: Grant) => Promise<boolean>;

export type GrantGuard = ReturnType<typeof createGrantGuard>;

/** Refuses tokens to OAuth clients for users and sessions that companions no longer allow. */
export const grantGuardOf = defineService<GrantGuard>("grants");

/**
 * Refuses tokens to OAuth clients when the user who granted them may no longer sign in so. Does nothing until a companion adds a
 * rule.
 */
export const createGrantGuard = () => {
	const rules: GrantRule[] = [];
	return {
		/** Adds a rule. Called when a companion starts. */
		use: (rule: GrantRule): void => {
			rules.push(rule);
		},
		before: ({ path, context }: GenericEndpointContext, tenantId: string): void => {
			if (rules.length === 0 || tenantId === PLATFORM) return;
			const { approvesDevices, redeemsGrants } = endpointOf(path);
			if (approvesDevices) rememberApprovals(context);
			if (!redeemsGrants) return;
			guardGrants(context, async (grant) => {
				for (const rule of rules) if (await rule(tenantId, grant)) return true;
				return false;
			});
		},
	};
};
