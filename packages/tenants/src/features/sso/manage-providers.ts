import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthMiddleware } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import { socialProviders } from "better-auth/social-providers";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { SSO_ERROR_CODES } from "../../errors/sso-error-codes.ts";
import { assertSafeRedirect } from "../../scope/request/safe-redirects.ts";
import { managementOf } from "../management/management.ts";
import { globalProvidersOf } from "../oauth/tenant-providers.ts";
import { findSsoProvider } from "./find-provider.ts";
import { assertTenantEntity } from "./saml-entity.ts";

/** Managing SSO providers requires permission to manage the tenant, because a provider decides who can sign in. */
export const manageProviders = async (ctx: GenericEndpointContext, tenantId: string): Promise<void> => {
	const { manages: action } = endpointOf(ctx.path);
	if (!action) return;
	await inContext(ctx, (whole) => managementOf(ctx).assertAllowed(whole, action, tenantId));
	const providerId: unknown = ctx.body?.providerId ?? ctx.query?.providerId;
	if (action === "sso-provider:register") assertFreeName(ctx, providerId);
	assertTenantEntity(ctx.body?.samlConfig, { tenantId, providerId: String(providerId) });
	for (const name of ["callbackUrl", "idpInitiatedCallbackUrl"]) assertSafeRedirect(ctx.body?.samlConfig?.[name]);
	await actForTenant(ctx, providerId);
};

/**
 * A session lookup may set cookies, which requires an endpoint's context. The cookies are dropped; the next request
 * sets them.
 */
const inContext = async (
	ctx: GenericEndpointContext,
	run: (whole: GenericEndpointContext) => Promise<void>,
): Promise<void> => {
	await createAuthMiddleware(async (whole) => run({ ...whole, path: ctx.path }))({ ...ctx, returnHeaders: false });
};

/**
 * The id is part of URLs and DNS records, and shares one namespace with social providers in accounts. Lower case,
 * because MySQL ignores case. No dot, because it would move the DNS record that verifies a domain below another name.
 */
const PROVIDER_ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

const assertFreeName = (ctx: GenericEndpointContext, providerId: unknown): void => {
	if (typeof providerId !== "string" || !PROVIDER_ID.test(providerId))
		throw APIError.from("BAD_REQUEST", SSO_ERROR_CODES.INVALID_SSO_PROVIDER_ID);
	// also reserves providers that are not configured yet, because a tenant can add them at any time
	const isReserved =
		Object.hasOwn(socialProviders, providerId) ||
		globalProvidersOf(ctx)().some(({ id }) => id.toLowerCase() === providerId);
	if (isReserved) throw APIError.from("UNPROCESSABLE_ENTITY", SSO_ERROR_CODES.SSO_PROVIDER_ID_RESERVED);
};

/**
 * A provider belongs to its tenant, not to the user who registered it. It stays when that user is deleted, and every
 * manager of the tenant can change it, also if it is linked to an organization. The engine checks that the session's
 * user owns the provider or has a role in its organization. So the request gets the owner's session and an owner role.
 */
const actForTenant = async (ctx: GenericEndpointContext, providerId: unknown): Promise<void> => {
	const provider = typeof providerId === "string" ? await findSsoProvider(ctx, providerId) : null;
	const { session, adapter } = ctx.context;
	const memberOf = async (organizationId: unknown): Promise<{ organizationId: string; role: string } | null> => {
		const where = [{ field: "id", value: String(organizationId) }];
		const found = await adapter.findOne<{ id: string }>({ model: "organization", where });
		return found && { organizationId: found.id, role: "owner" };
	};
	const named = (where: { field: string; value: unknown }[] = []): unknown[] =>
		[where.find(({ field }) => field === "organizationId")?.value].flat();
	Object.assign(ctx.context, {
		session: { session: { ...session?.session }, user: { ...session?.user, id: provider?.userId ?? null } },
		adapter: {
			...adapter,
			findOne: async (query: Parameters<typeof adapter.findOne>[0]) =>
				query.model === "member" ? memberOf(named(query.where)[0]) : adapter.findOne(query),
			findMany: async (query: Parameters<typeof adapter.findMany>[0]) =>
				query.model === "member"
					? (await Promise.all(named(query.where).map(memberOf))).filter((member) => member !== null)
					: adapter.findMany(query),
		},
	});
};
