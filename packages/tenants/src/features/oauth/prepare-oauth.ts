import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import type { GoogleOptions } from "@better-auth/core/social-providers";
import { getAccountCookie } from "better-auth/cookies";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { isAccountOf } from "./account-authority.ts";
import { bindFlow } from "./bind-flow.ts";
import { findProvider, GLOBAL_CREDENTIALS } from "./build-provider.ts";
import { chosenFor, useProviders } from "./flow-state.ts";
import type { TenantProviders } from "./tenant-providers.ts";
import { createFlowVerification } from "./verify-flow.ts";

/** Prepares a request for OAuth: sets its tenant's providers, binds the flows it starts, and makes states single-use. */
export const createOauthPreparation = (providers: TenantProviders, application: AuthContext) => {
	// read at each request, because later plugins may add providers
	const globalProviders = () => application.socialProviders;
	const retryDiscovery = createDiscoveryRetry(application);
	const chooseProviders = createProviderChoice(providers, globalProviders);
	const verifyFlow = createFlowVerification(providers, globalProviders);
	return async (ctx: GenericEndpointContext, tenantId: string): Promise<void> => {
		await retryDiscovery(ctx);
		if (!ctx.path || !endpointOf(ctx.path).needsProviders) return dropProviders(ctx, tenantId);
		await chooseProviders(ctx, tenantId);
		await bindFlow(ctx, tenantId);
		if (tenantId !== PLATFORM) await hideForeignTokens(ctx);
		verifyFlow(ctx, tenantId);
	};
};

/** Removes the providers from a request that does not use them, so no credentials are loaded. */
const dropProviders = ({ path, context }: GenericEndpointContext, tenantId: string): void => {
	if (tenantId === PLATFORM) return;
	// sign-out uses the providers' sign-out URL; no built-in provider has one
	context.socialProviders = endpointOf(path).signsOut
		? context.socialProviders.filter(({ createEndSessionURL }) => createEndSessionURL)
		: [];
};

/** Sets the providers of a request: those of its tenant, or the application's own for the platform. */
const createProviderChoice =
	(providers: TenantProviders, globalProviders: () => OAuthProvider[]) =>
	async (ctx: GenericEndpointContext, tenantId: string): Promise<void> => {
		const { context } = ctx;
		const before = chosenFor(context);
		if (tenantId === PLATFORM) {
			if (before !== undefined && before !== PLATFORM) context.socialProviders = globalProviders();
			return;
		}
		if (before !== tenantId) {
			useProviders(context, tenantId, await providers.load(tenantId, globalProviders()));
			// tenants' states are stored on the server: bound to a flow, used once, and tied to the browser's cookie
			context.oauthConfig = { ...context.oauthConfig, storeStateStrategy: "database", skipStateCookieCheck: false };
			// a tenant's identity provider can claim any email, so it is never trusted because of its id alone
			context.trustedProviders = [];
		}
		if (endpointOf(ctx.path).provider === "google") useTenantGoogle(ctx);
	};

/**
 * Makes One Tap use the tenant's own Google config: client, Workspace domain and sign-up policy. The One Tap plugin
 * reads the application's options instead of the request's providers. They are correct for a tenant without its own
 * config.
 */
const useTenantGoogle = ({ context }: GenericEndpointContext): void => {
	const google = findProvider(context.socialProviders, "google");
	if (!google || !("credentialSource" in google) || google.credentialSource === GLOBAL_CREDENTIALS) return;
	const { clientId, hd, disableSignUp } = (google.options ?? {}) as Partial<GoogleOptions>;
	if (!clientId) throw APIError.from("INTERNAL_SERVER_ERROR", TENANT_AUTH_ERROR_CODES.OAUTH_CONFIG_UNREADABLE);
	if (context.getPlugin("one-tap")?.options?.clientId) {
		context.logger.error(
			"tenantAuth: oneTap({ clientId }) accepts tokens for that client only, so One Tap does not work in tenants with their own Google client. Remove `clientId` from oneTap() and set socialProviders.google.",
		);
		throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.PROVIDER_NOT_FOUND);
	}
	const { options } = context;
	context.options = {
		...options,
		socialProviders: { ...options.socialProviders, google: { clientId, hd, disableSignUp } },
	};
};

/** Hides tokens that another authority issued, so they are never sent to the authority that is configured now. */
const hideForeignTokens = async (ctx: GenericEndpointContext): Promise<void> => {
	await assertOwnAccountCookie(ctx);
	const engine = ctx.context.internalAdapter;
	ctx.context.internalAdapter = {
		...engine,
		findAccounts: async (userId) => {
			const accounts = await engine.findAccounts(userId);
			return Promise.all(
				accounts.map(async (account) => {
					const provider = findProvider(ctx.context.socialProviders, account.providerId);
					const authority = provider && "authority" in provider ? provider.authority : null;
					if (!provider || (await isAccountOf(account.accountId, authority))) return account;
					return { ...account, accessToken: null, refreshToken: null, idToken: null };
				}),
			);
		},
	};
};

/** The browser's account cookie also holds an account with its tokens. */
const assertOwnAccountCookie = async (ctx: GenericEndpointContext): Promise<void> => {
	if (!ctx.body?.useAccountCookie && !ctx.query?.useAccountCookie) return;
	const account = await getAccountCookie(ctx);
	const provider = account && findProvider(ctx.context.socialProviders, account.providerId);
	if (!account || !provider) return;
	const authority = "authority" in provider ? provider.authority : null;
	if (!(await isAccountOf(account.accountId, authority)))
		throw APIError.from("BAD_REQUEST", BASE_ERROR_CODES.ACCOUNT_NOT_FOUND);
};

type WithPending = { genericOAuthPendingDiscovery?: ReadonlyMap<string, unknown> | undefined };

/**
 * Retries the discovery of a generic OAuth provider that failed at startup. Since Better Auth 1.7.18 a before-hook does
 * so, and adds the provider to the request's list. In a tenant that is the tenant's own list: the provider would be used
 * without limits and without the tenant's callback, and be missing everywhere else. So the retry runs here, on the
 * application's list, and the hook finds nothing to retry.
 */
const createDiscoveryRetry =
	(application: AuthContext) =>
	async (ctx: GenericEndpointContext): Promise<void> => {
		const { genericOAuthPendingDiscovery: pending } = application as WithPending;
		if (!pending) return;
		const provider = providerOf(ctx);
		if (provider !== undefined && pending.has(provider) && endpointOf(ctx.path).needsProviders) {
			const { socialProviders } = application;
			const context = { ...ctx.context, socialProviders, genericOAuthPendingDiscovery: pending };
			const asked = { ...ctx, body: { provider }, context };
			for (const { id, hooks } of application.options.plugins ?? []) {
				if (id !== "generic-oauth") continue;
				for (const { matcher, handler } of hooks?.before ?? []) if (matcher(asked)) await handler(asked as never); // the engine passes the same object, untyped
			}
		}
		Object.assign(ctx.context, { genericOAuthPendingDiscovery: undefined } satisfies WithPending);
	};

const providerOf = ({ body, query, params }: GenericEndpointContext): string | undefined => {
	const id: unknown = body?.provider ?? body?.providerId ?? query?.provider ?? params?.id ?? params?.providerId;
	return typeof id === "string" ? id : undefined;
};
