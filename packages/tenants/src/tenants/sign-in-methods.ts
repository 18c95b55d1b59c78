import { createAuthEndpoint } from "@better-auth/core/api";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import * as z from "zod";
import { settingsOf } from "../oauth/provider-settings.ts";
import { type HintSources, readHint } from "../resolve/hint.ts";
import { resolvable } from "../scope/decide.ts";
import { PLATFORM } from "../scope/platform.ts";
import { servicesOf } from "../services.ts";

/**
 * The sign-in methods of a tenant, for sign-in pages. Contains nothing else about the tenant.
 *
 * @example
 * ```ts
 * const methods: SignInMethods = await auth.api.getTenantSignInMethods({ query: { tenantId } });
 * ```
 */
export type SignInMethods = {
	/** Whether users can sign in, and sign up, with email and password. */
	email: { enabled: boolean; signUp: boolean };
	/** The social providers, in the order in which to show them. */
	providers: { id: string; name: string }[];
};

const query = z.object({ tenantId: z.string().optional() }).optional();

const parameters = [
	{
		name: "tenantId",
		in: "query" as const,
		schema: { type: "string" as const },
		description: "Tenant id. Can also come from resolveTenantId or a header",
	},
];

const signInMethodsOpenAPI = {
	type: "object" as const,
	properties: {
		email: {
			type: "object" as const,
			properties: { enabled: { type: "boolean" as const }, signUp: { type: "boolean" as const } },
			required: ["enabled", "signUp"],
		},
		providers: {
			type: "array" as const,
			items: {
				type: "object" as const,
				properties: { id: { type: "string" as const }, name: { type: "string" as const } },
				required: ["id", "name"],
			},
		},
	},
	required: ["email", "providers"],
};

/**
 * Returns the sign-in methods of a tenant, for sign-in pages. Public and cacheable. The response for an unknown tenant
 * is the same as for a tenant without its own providers.
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
			const { known, providers, globalProviders } = servicesOf(ctx);
			const global = globalProviders();
			const own = tenantId !== PLATFORM && (await known.isOpen(tenantId)) ? await providers.listIds(tenantId) : [];
			const { emailAndPassword } = ctx.context.options;
			const enabled = emailAndPassword?.enabled ?? false;
			ctx.setHeader("cache-control", "public, max-age=60");
			if (sources.tenantHeader !== false) ctx.setHeader("vary", sources.tenantHeader);
			return ctx.json<SignInMethods>({
				email: { enabled, signUp: enabled && !emailAndPassword?.disableSignUp },
				providers: inOrder(global, own),
			});
		},
	);

/** The application's providers in their order, then the tenant's own, sorted by name. */
const inOrder = (global: OAuthProvider[], own: string[]): SignInMethods["providers"] => {
	const shown = new Map(global.map(({ id, name }) => [id, settingsOf(id)?.name ?? name]));
	const more = own.filter((id) => !shown.has(id)).map((id) => ({ id, name: settingsOf(id)?.name ?? id }));
	return [
		...[...shown].map(([id, name]) => ({ id, name })),
		...more.sort((one, other) => one.name.localeCompare(other.name)),
	];
};
