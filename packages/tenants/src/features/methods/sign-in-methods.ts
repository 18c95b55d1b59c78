import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthEndpoint } from "@better-auth/core/api";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import * as z from "zod";
import { type HintSources, readHint } from "../../resolve/hint.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { resolvable } from "../../scope/request/decide.ts";
import { knownTenantsOf } from "../../scope/tenants/known-tenants.ts";
import { settingsOf } from "../oauth/provider-settings.ts";
import { globalProvidersOf, tenantProvidersOf } from "../oauth/tenant-providers.ts";
import { ssoMethodsOf } from "../sso/list-sso-methods.ts";
import { methodsFilterOf, type SignInMethods } from "./offered-methods.ts";
import { allowsOneTap, readPluginMethods } from "./plugin-methods.ts";

const TENANT = "Tenant id. Can also come from resolveTenantId or a header";
const query = z.object({ tenantId: z.string().meta({ description: TENANT }).optional() }).optional();

const parameters = [
	{
		name: "tenantId",
		in: "query" as const,
		schema: { type: "string" as const },
		description: TENANT,
	},
];

const canSignIn = { type: "boolean" as const, description: "Whether users can sign in this way" };
const canSignUp = { type: "boolean" as const, description: "Whether users can sign up this way" };
const method = (description: string) => ({
	type: "object" as const,
	properties: { enabled: canSignIn },
	required: ["enabled"],
	description,
});
const methodWithSignUp = (description: string) => ({
	type: "object" as const,
	properties: { enabled: canSignIn, signUp: canSignUp },
	required: ["enabled", "signUp"],
	description,
});
const listOf = (description: string, names: Record<string, string>) => ({
	type: "array" as const,
	items: {
		type: "object" as const,
		properties: Object.fromEntries(
			Object.entries(names).map(([name, meaning]) => [name, { type: "string" as const, description: meaning }]),
		),
		required: Object.keys(names),
	},
	description,
});

const methods = {
	email: methodWithSignUp("Email and password"),
	providers: listOf("Social providers, in the order in which to show them", {
		id: "Provider id",
		name: "Display name",
	}),
	sso: listOf("The tenant's SSO providers", { id: "The `providerId` for /sign-in/sso" }),
	oneTap: method("Google One Tap"),
	magicLink: methodWithSignUp("A link in an email"),
	emailOtp: methodWithSignUp("A one-time password in an email"),
	phoneNumber: methodWithSignUp("A phone number"),
	username: method("A username and password"),
	passkey: method("A passkey"),
	anonymous: method("An account without a name"),
	siwe: method("An Ethereum wallet"),
} satisfies Record<keyof SignInMethods, object>;

export const signInMethodsOpenAPI = { type: "object" as const, properties: methods, required: Object.keys(methods) };

/**
 * Returns the sign-in methods of a tenant, for sign-in pages. Public and cacheable. The response for an unknown tenant
 * is the same as for a tenant without its own providers. A suspended tenant returns 403.
 */
export const signInMethods = (sources: HintSources) =>
	createAuthEndpoint(
		"/tenant/methods",
		{
			method: "GET",
			query,
			metadata: {
				openapi: {
					operationId: "getTenantSignInMethods",
					description: "List the sign-in methods of a tenant",
					parameters,
					responses: {
						"200": { description: "The methods", content: { "application/json": { schema: signInMethodsOpenAPI } } },
					},
				},
			},
		},
		async (ctx) => {
			const tenantId = (await readHint(resolvable(ctx), sources)) ?? PLATFORM;
			ctx.setHeader("cache-control", "public, max-age=60");
			if (sources.tenantHeader !== false) ctx.setHeader("vary", sources.tenantHeader);
			return ctx.json<SignInMethods>(await readSignInMethods(ctx, tenantId));
		},
	);

/** Reads the sign-in methods of a tenant. Those of an unknown tenant are the application's. */
export const readSignInMethods = async (ctx: GenericEndpointContext, tenantId: string): Promise<SignInMethods> => {
	const known = knownTenantsOf(ctx);
	const providers = tenantProvidersOf(ctx);
	const globalProviders = globalProvidersOf(ctx);
	const ssoMethods = ssoMethodsOf(ctx);
	const { emailAndPassword, plugins = [] } = ctx.context.options;
	const global = globalProviders();
	const isOpen = await known.admits(tenantId);
	const own = tenantId !== PLATFORM && isOpen ? await providers.listIds(tenantId) : [];
	const sso = isOpen ? await ssoMethods(tenantId) : [];
	const offered = inOrder(global, own);
	const enabled = emailAndPassword?.enabled ?? false;
	const google = { isOffered: offered.some(({ id }) => id === "google"), isOwn: own.includes("google") };
	const methods: SignInMethods = {
		email: { enabled, signUp: enabled && !emailAndPassword?.disableSignUp },
		providers: offered,
		sso: sso.map((id) => ({ id })),
		oneTap: { enabled: allowsOneTap(plugins, google) },
		...readPluginMethods(plugins),
	};
	return (await methodsFilterOf.find(ctx)?.(isOpen ? tenantId : null, methods)) ?? methods;
};

/** The application's providers in their order, then the tenant's own, sorted by name. */
const inOrder = (global: OAuthProvider[], own: string[]): SignInMethods["providers"] => {
	const shown = new Map(global.map(({ id, name }) => [id, settingsOf(id)?.name ?? name]));
	const more = own.filter((id) => !shown.has(id)).map((id) => ({ id, name: settingsOf(id)?.name ?? id }));
	return [
		...[...shown].map(([id, name]) => ({ id, name })),
		...more.sort((one, other) => one.name.localeCompare(other.name)),
	];
};
