import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { PLATFORM } from "../scope/platform.ts";
import { bindFlow, type FlowBinding, namedProvider, readBinding } from "./flow-binding.ts";
import { useStatesOnce } from "./single-use-state.ts";
import { GLOBAL_CREDENTIALS, type TenantProvider, type TenantProviders } from "./tenant-providers.ts";

/** Set by the tenant's callback endpoint on the context it hands to the engine's callback. */
export const VIA_TENANT_CALLBACK = Symbol("tenant callback");

/**
 * Endpoints that are known to touch no provider, so that no credentials are loaded for them. Whatever is not listed
 * loads the tenant's providers: an endpoint the engine adds later is slower by a statement, not open.
 */
const WITHOUT_PROVIDERS = new Set([
	"/get-session",
	"/sign-out",
	"/sign-in/email",
	"/sign-up/email",
	"/tenant/sign-in/email",
	"/tenant/sign-up/email",
	"/verify-email",
	"/send-verification-email",
	"/request-password-reset",
	"/reset-password",
	"/reset-password/:token",
	"/change-password",
	"/change-email",
	"/set-password",
	"/verify-password",
	"/update-user",
	"/update-session",
	"/list-sessions",
	"/revoke-session",
	"/revoke-sessions",
	"/revoke-other-sessions",
	"/delete-user",
	"/delete-user/callback",
	"/list-accounts",
	"/ok",
	"/error",
]);

/** Arrays that this function made: a delegated request passes through here again. */
const prepared = new WeakSet<object>();

/** Gives a pinned request its tenant's providers, binds the flows it starts, and makes their states good for one use. */
export const createOauthPreparation =
	(providers: TenantProviders) =>
	async (ctx: GenericEndpointContext, tenantId: string): Promise<void> => {
		if (ctx.path && WITHOUT_PROVIDERS.has(ctx.path)) {
			if (tenantId !== PLATFORM) ctx.context.socialProviders = [];
			return;
		}
		const global = ctx.context.socialProviders;
		if (tenantId !== PLATFORM && !prepared.has(global)) {
			const own = await providers.load(tenantId, global);
			prepared.add(own);
			ctx.context.socialProviders = own;
			// states of tenants lie on the server: bound, consumed once, and tied to the browser's cookie
			ctx.context.oauthConfig = {
				...ctx.context.oauthConfig,
				storeStateStrategy: "database",
				skipStateCookieCheck: false,
			};
			// a tenant's identity provider may say anything about anyone: never trusted by its name alone
			ctx.context.trustedProviders = [];
		}
		const providerId = namedProvider(ctx);
		if (providerId !== null)
			await bindFlow({ tenantId, providerId, source: sourceOf(ctx.context.socialProviders, providerId) });
		useStatesOnce(ctx, async (value) => {
			const flow = readBinding(value);
			if (!flow || !(await isSameFlow(ctx, tenantId, flow))) return false;
			const source = sourceOf(ctx.context.socialProviders, flow.providerId);
			if (source === flow.source || tenantId === PLATFORM) return true;
			// another process may have changed the config since ours was loaded: ask once more before refusing
			const own = await providers.load(tenantId, global, { fresh: true });
			if (sourceOf(own, flow.providerId) !== flow.source) return false;
			prepared.add(own);
			ctx.context.socialProviders = own;
			return true;
		});
	};

/** A flow ends where it began: same tenant, same provider, and the callback that belongs to its scope. */
const isSameFlow = async (ctx: GenericEndpointContext, tenantId: string, flow: FlowBinding): Promise<boolean> => {
	if (flow.tenantId !== tenantId) return false;
	const endsHere = ctx.params?.id ?? ctx.params?.providerId;
	if (endsHere !== undefined && endsHere !== flow.providerId) return false;
	if (ctx.path !== "/callback/:id") return true;
	return VIA_TENANT_CALLBACK in ctx.context === (tenantId !== PLATFORM);
};

const sourceOf = (list: (OAuthProvider | TenantProvider)[], providerId: string): string => {
	const provider = list.find(({ id }) => id === providerId);
	return provider && "credentialSource" in provider ? provider.credentialSource : GLOBAL_CREDENTIALS;
};
