import type { GenericEndpointContext } from "@better-auth/core";
import { defineRequestState } from "@better-auth/core/context";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { getOAuthState } from "better-auth/api";
import { endpointOf } from "../engine/endpoints.ts";
import { PLATFORM } from "../scope/platform.ts";
import { findProvider, GLOBAL_CREDENTIALS, type TenantProvider } from "./build-provider.ts";
import { bindFlow, type FlowBinding, namedProvider, readBinding } from "./flow-binding.ts";
import { hideForeignTokens } from "./foreign-tokens.ts";
import { forbidImplicitLinking } from "./implicit-linking.ts";
import { onceOnly } from "./once-only.ts";
import { useTenantGoogle } from "./one-tap.ts";
import { useStatesOnce } from "./single-use-state.ts";
import type { TenantProviders } from "./tenant-providers.ts";

/** Set by the tenant's callback endpoint on the context it hands to the engine's callback. */
export const VIA_TENANT_CALLBACK = Symbol("tenant callback");

/** Stands in the binding of flows of the SSO plugin, which has a callback for each of its providers. */
const SSO_CALLBACK = "/sso/callback";

/** Lists that were made here, or of ones made here, and for whom: a delegated request passes through again. */
const prepared = new WeakMap<object, string>();
export const markPrepared = <List extends object>(list: List, tenantId: string): List => {
	prepared.set(list, tenantId);
	return list;
};

/** The list that replaced a stale one in the middle of a callback. */
const reloaded = defineRequestState<OAuthProvider[] | null>(() => null);
export const reloadedProviders = (): Promise<OAuthProvider[] | null> => reloaded.get();

/** Gives a pinned request its tenant's providers, binds the flows it starts, and makes their states good for one use. */
export const createOauthPreparation =
	(providers: TenantProviders, globalProviders: () => OAuthProvider[]) =>
	async (ctx: GenericEndpointContext, tenantId: string): Promise<void> => {
		const endpoint = endpointOf(ctx.path);
		if (!ctx.path || !endpoint.needsProviders) {
			// signing out asks them for the address of their own sign-out, which none of the built-in ones has
			const stay = endpoint.signsOut
				? ctx.context.socialProviders.filter(({ createEndSessionURL }) => createEndSessionURL)
				: [];
			if (tenantId !== PLATFORM) ctx.context.socialProviders = stay;
			return;
		}
		const preparedFor = prepared.get(ctx.context.socialProviders);
		if (tenantId === PLATFORM && preparedFor !== undefined && preparedFor !== PLATFORM)
			ctx.context.socialProviders = globalProviders();
		if (tenantId !== PLATFORM && preparedFor !== tenantId) {
			ctx.context.socialProviders = markPrepared(await providers.load(tenantId, globalProviders()), tenantId);
			// states of tenants lie on the server: bound, consumed once, and tied to the browser's cookie
			ctx.context.oauthConfig = {
				...ctx.context.oauthConfig,
				storeStateStrategy: "database",
				skipStateCookieCheck: false,
			};
			// a tenant's identity provider may say anything about anyone: never trusted by its name alone
			ctx.context.trustedProviders = [];
		}
		if (tenantId !== PLATFORM && endpoint.provider === "google") useTenantGoogle(ctx);
		const providerId = namedProvider(ctx);
		const named = providerId === null ? undefined : findProvider(ctx.context.socialProviders, providerId);
		obey(ctx, named);
		if (endpoint.startsSso) {
			// the plugin binds the provider that it finds itself, by name or by the email's domain
			await bindFlow({ tenantId, providerId: "", source: GLOBAL_CREDENTIALS, callback: SSO_CALLBACK });
		} else if (providerId !== null) {
			await bindFlow({
				tenantId,
				providerId,
				source: sourceOf(named),
				callback: named?.callbackPath ?? `/callback/${providerId}`,
			});
		}
		if (tenantId !== PLATFORM) await hideForeignTokens(ctx);
		else if (ctx.context.oauthConfig.storeStateStrategy === "cookie") compareBeforeRedeeming(ctx);
		useStatesOnce(ctx, async (value) => {
			const flow = readBinding(value);
			// flows of other plugins on the platform name no provider we could compare
			if (!flow) return tenantId === PLATFORM;
			if (!isSameFlow(ctx, tenantId, flow)) return false;
			if (tenantId === PLATFORM || sourceOf(findProvider(ctx.context.socialProviders, flow.providerId)) === flow.source)
				return true;
			// another process may have changed the config since ours was loaded: ask once more before refusing
			const own = await providers.load(tenantId, globalProviders(), { fresh: true });
			if (sourceOf(findProvider(own, flow.providerId)) !== flow.source) return false;
			const changed = markPrepared(own.map(onceOnly), tenantId);
			await reloaded.set(changed);
			ctx.context.socialProviders = changed;
			obey(ctx, findProvider(changed, flow.providerId));
			return true;
		});
	};

/** A flow ends where it began: same tenant, same provider, and the address that its authority belongs to. */
const isSameFlow = (ctx: GenericEndpointContext, tenantId: string, flow: FlowBinding): boolean => {
	if (flow.tenantId !== tenantId) return false;
	const { endsFlow } = endpointOf(ctx.path);
	if (endsFlow === "sso" || endsFlow === "none" || flow.callback === SSO_CALLBACK)
		return flow.callback === SSO_CALLBACK && endsFlow === "sso";
	const endsHere = ctx.params?.id ?? ctx.params?.providerId;
	if (endsHere !== undefined && endsHere !== flow.providerId) return false;
	if (endsFlow !== "at-its-callback") return true;
	const via = VIA_TENANT_CALLBACK in ctx.context ? ctx.context[VIA_TENANT_CALLBACK] : `/callback/${endsHere}`;
	return via === flow.callback;
};

/**
 * Who names a tenant's people by the tenant's own choice may say of anyone that his e-mail is verified, so what he says
 * links no account to a user who is there already. Signed in, a user may link it himself.
 */
const obey = (ctx: GenericEndpointContext, provider: OAuthProvider | TenantProvider | undefined): void => {
	if (!provider || !("isOwnAuthority" in provider) || !provider.isOwnAuthority) return;
	forbidImplicitLinking(ctx.context);
	// with implicit linking off, this counts for linking by hand alone, which an unverified e-mail would keep from working
	ctx.context.trustedProviders = [provider.id];
};

/** A state in a cookie is not looked up anywhere; it is compared before the code leaves the server. */
const compareBeforeRedeeming = (ctx: GenericEndpointContext): void => {
	if (endpointOf(ctx.path).kind !== "callback" || prepared.has(ctx.context.socialProviders)) return;
	const compared = ctx.context.socialProviders.map((provider) => ({
		...provider,
		validateAuthorizationCode: async (data: Parameters<OAuthProvider["validateAuthorizationCode"]>[0]) => {
			const flow = readBinding(JSON.stringify(await getOAuthState()));
			if (flow && !isSameFlow(ctx, PLATFORM, flow)) throw new Error("The OAuth state was made for another flow");
			return provider.validateAuthorizationCode(data);
		},
	}));
	ctx.context.socialProviders = markPrepared(compared, PLATFORM);
};

const sourceOf = (provider: OAuthProvider | TenantProvider | undefined): string =>
	provider && "credentialSource" in provider ? provider.credentialSource : GLOBAL_CREDENTIALS;
