import type { BetterAuthPlugin } from "@better-auth/core";
import { admin } from "better-auth/plugins";
import { tenantAdmin, tenantInvitations, tenantRoles } from "../src/admin.ts";
import { withTenants } from "../src/index.ts";
import { tenantLifecycle } from "../src/lifecycle.ts";
import { tenantPolicy } from "../src/policy.ts";

/** The parts of a plugin that the reference shows. */
export type ShownPlugin = Pick<BetterAuthPlugin, "id" | "endpoints" | "schema">;

/** All plugins of the package, and Better Auth's `admin`, as `withTenants` composes them. */
export const allPlugins = (): ShownPlugin[] =>
	withTenants({}, [
		admin({ ...tenantRoles }),
		tenantLifecycle(),
		tenantAdmin(),
		tenantInvitations({ acceptURL: "https://app.example.com/invitation", sendInvitation: async () => {} }),
		tenantPolicy(),
	]);
