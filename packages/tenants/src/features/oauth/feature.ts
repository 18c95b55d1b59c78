import type { AuthContext } from "@better-auth/core";
import type { RawAdapter } from "../../scope/data/raw-adapter.ts";
import type { CurrentTenant } from "../../scope/data/schema.ts";
import type { TenantSecrets } from "../../scope/secrets/secrets.ts";
import type { KnownTenants } from "../../scope/tenants/known-tenants.ts";
import type { TenantLookup } from "../../scope/tenants/tenant-lookup.ts";
import type { TenantStore } from "../../scope/tenants/tenant-store.ts";
import type { Feature } from "../feature.ts";
import type { Management } from "../management/management.ts";
import { callBoundsOf, createCallBounds } from "./bounded-provider.ts";
import { callbackBaseOf, callbackURLsOf, createCallbackURLs } from "./callback-urls.ts";
import { createOauthConfigStores } from "./config-store.ts";
import { deleteOauthConfig } from "./delete-oauth-config.ts";
import { engineTables } from "./engine-tables.ts";
import { createFlowProvider, flowProviderOf } from "./flow-provider.ts";
import { genericAuthorities, genericRedirects } from "./generic-authorities.ts";
import { listOauthConfigs } from "./list-oauth-configs.ts";
import { createManagedConfigs, oauthConfigsOf } from "./managed-configs.ts";
import { createOauthPreparation } from "./prepare-oauth.ts";
import { createPublicBaseURL } from "./public-base-url.ts";
import { createReencrypt, credentialTables, reencryptOf } from "./reencrypt.ts";
import { reencryptOauthConfigBatch } from "./reencrypt-secrets.ts";
import { registerOauthConfig } from "./register-oauth-config.ts";
import { createSeal } from "./seal.ts";
import { signInTenantSocial } from "./sign-in-social.ts";
import { tenantCallback, tenantOwnCallback } from "./tenant-callback.ts";
import { createTenantProviders, globalProvidersOf, tenantProvidersOf } from "./tenant-providers.ts";
import { tenantSharedCallback } from "./tenant-shared-callback.ts";
import { testOauthConfig } from "./test-oauth-config.ts";

type Given = { management: Management; current: CurrentTenant; options: { allowPrivateHosts: boolean } };
type Core = {
	context: AuthContext;
	options: {
		tenantCache: { maxAge: number; maxSize: number };
		providerTimeout: number;
		allowPrivateHosts: boolean;
		callbackHost: string | null;
	};
	adapter: RawAdapter;
	known: KnownTenants;
	lookup: TenantLookup;
	tenants: TenantStore;
	secrets: (tenantId: string) => Promise<TenantSecrets>;
	/** whether the SSO plugin is installed, whose table has credentials, too */
	hasSso: boolean;
};

/** Sign-in with social providers, with a tenant's own credentials or those of all. */
export const oauth = {
	endpoints: ({ management, current, options }: Given) => ({
		registerTenantOauthConfig: registerOauthConfig(management, options),
		listTenantOauthConfigs: listOauthConfigs(management),
		deleteTenantOauthConfig: deleteOauthConfig(management),
		testTenantOauthConfig: testOauthConfig(management),
		reencryptSecretsBatch: reencryptOauthConfigBatch(),
		signInTenantSocial: signInTenantSocial(current),
		tenantCallback: tenantCallback(current),
		tenantOwnCallback: tenantOwnCallback(current),
		tenantSharedCallback: tenantSharedCallback(current),
	}),
	start: ({ context, options, adapter, known, lookup, tenants, secrets, hasSso }: Core) => {
		const plugins = context.options.plugins ?? [];
		const { hosts } = lookup;
		const seal = createSeal(context.secretConfig);
		// read at each request, because later plugins may add providers
		const globalProviders = () => context.socialProviders;
		const storeOf = createOauthConfigStores(adapter, seal, {
			hasSso,
			globalOptions: (providerId) => globalProviders().find(({ id }) => id === providerId)?.options,
		});
		const genericAuthority = genericAuthorities(plugins);
		const callbackBase = options.callbackHost !== null && hosts ? hosts.baseURLOf(options.callbackHost) : null;
		const providers = createTenantProviders({
			storeOf,
			cache: options.tenantCache,
			providerTimeout: options.providerTimeout,
			allowPrivateHosts: options.allowPrivateHosts,
			genericAuthority,
			genericRedirect: genericRedirects(plugins),
			callbackBase,
			onUnusable: ({ tenantId, providerId }) =>
				context.logger.error(
					`tenantAuth: the OAuth config of tenant ${tenantId} for ${providerId} cannot be decrypted. It was moved, or encrypted with a secret that was removed. Register it again.`,
				),
		});
		const publicBaseURL = createPublicBaseURL(context.options);
		return {
			services: [
				oauthConfigsOf.as(createManagedConfigs({ known, tenants, storeOf, forget: providers.forget })),
				tenantProvidersOf.as(providers),
				globalProvidersOf.as(globalProviders),
				callbackBaseOf.as(callbackBase),
				flowProviderOf.as(createFlowProvider(providers, globalProviders)),
				callbackURLsOf.as(createCallbackURLs({ hosts, callbackBase, tenants, domains: lookup.domains, publicBaseURL })),
				reencryptOf.as(
					createReencrypt(adapter, [...credentialTables(seal, hasSso), ...engineTables(context, secrets)]),
				),
				callBoundsOf.as(() => createCallBounds(options.providerTimeout, options.allowPrivateHosts)),
			],
			seal,
			providers,
			globalProviders,
			genericAuthority,
			prepareProviders: createOauthPreparation(providers, context),
		};
	},
} satisfies Feature;
