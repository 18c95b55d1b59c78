import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import type { Tenant } from "../../scope/tenants/tenant.ts";
import { profilesOf, type TenantBranding } from "../../scope/tenants/tenant-profiles.ts";
import type { SignInMethods } from "../methods/offered-methods.ts";
import { readSignInMethods, signInMethodsOpenAPI } from "../methods/sign-in-methods.ts";

/**
 * The tenant of a page: what its visitors may know before they sign in.
 *
 * @example
 * ```ts
 * const tenant: CurrentTenant | null = await auth.api.getCurrentTenant({ headers });
 * ```
 */
export type CurrentTenant = Pick<Tenant, "id" | "slug" | "name"> & {
	/** What the option `branding` returns for the tenant. Empty without it. */
	branding: TenantBranding;
	/** How users can sign in, as `/tenant/methods` returns it. */
	methods: SignInMethods;
};

const TENANT = "Tenant id. Can also come from resolveTenantId, a header or the session";
const query = z.object({ tenantId: z.string().meta({ description: TENANT }).optional() }).optional();

const properties = {
	id: { type: "string" as const, description: "Tenant id" },
	slug: { type: "string" as const, description: "Unique URL-friendly id. It can change" },
	name: { type: "string" as const, description: "Display name" },
	branding: {
		type: "object" as const,
		additionalProperties: { type: "string" as const },
		description: "What the application publishes about how the tenant looks",
	},
	methods: { ...signInMethodsOpenAPI, description: "How users can sign in" },
} satisfies Record<keyof CurrentTenant, object>;

const schema = { type: "object" as const, nullable: true, properties, required: Object.keys(properties) };

/**
 * Returns the tenant of the request, for its pages. Public. Null on the platform. An unknown tenant or host returns 404, and
 * a suspended tenant 403. If nothing else names the tenant, the session does.
 */
export const getCurrentTenant = (currentTenant: () => string) =>
	createAuthEndpoint(
		"/tenant/current",
		{
			method: "GET",
			query,
			// without headers every call would return null
			requireHeaders: true,
			metadata: {
				openapi: {
					operationId: "getCurrentTenant",
					description: "Get the tenant of the request, for its pages",
					parameters: [
						{ name: "tenantId", in: "query" as const, schema: { type: "string" as const }, description: TENANT },
					],
					responses: {
						"200": {
							description: "The tenant, or null on the platform",
							content: { "application/json": { schema } },
						},
					},
				},
			},
		},
		async (ctx) => {
			// the session may have named the tenant
			ctx.setHeader("cache-control", "no-store");
			const tenantId = currentTenant();
			if (tenantId === PLATFORM) return ctx.json<CurrentTenant | null>(null);
			const profile = await profilesOf(ctx).of(tenantId);
			if (!profile) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
			const { id, slug, name } = profile;
			const branding = profile.readBranding();
			const methods = await readSignInMethods(ctx, tenantId);
			return ctx.json<CurrentTenant | null>({ id, slug, name, branding, methods });
		},
	);
