import type { AuthContext } from "@better-auth/core";
import type { ScopedMethods } from "../../scope/data/adapter.ts";
import type { RawAdapter } from "../../scope/data/raw-adapter.ts";
import type { TenantContext } from "../../scope/pin/tenant-context.ts";
import type { Feature } from "../feature.ts";
import type { Seal } from "../oauth/seal.ts";
import { createSsoMethods, ssoMethodsOf } from "./list-sso-methods.ts";
import { SSO_TABLE, sealProviders } from "./sealed-providers.ts";

type Core = {
	context: AuthContext;
	pin: TenantContext;
	adapter: RawAdapter;
	tableOf: (model: string) => string;
	seal: Seal;
};

/** Single sign-on at a tenant's own identity provider, with Better Auth's plugin. */
export const sso = {
	start: ({ context, pin, adapter, tableOf, seal }: Core) => {
		const sealSettings = sealProviders({
			seal,
			pin,
			isProviders: (model) => tableOf(model) === SSO_TABLE,
			onUnreadable: ({ tenantId, providerId }) =>
				context.logger.error(
					`tenantAuth: the settings of SSO provider ${providerId} of tenant ${tenantId} cannot be decrypted. They were stored before this plugin was installed, moved, or encrypted with a secret that was removed. Delete the provider and register it again.`,
				),
		});
		return {
			services: [ssoMethodsOf.as(createSsoMethods(adapter, context.tables))],
			/** a layer of the adapter */
			sealProviders: SSO_TABLE in context.tables ? sealSettings : (methods: ScopedMethods) => methods,
		};
	},
} satisfies Feature;
