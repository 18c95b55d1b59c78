import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthMiddleware } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import { socialProviders } from "better-auth/social-providers";
import { endpointOf } from "../engine/endpoints.ts";
import { assertSafeRedirect } from "../guards/safe-redirects.ts";
import { servicesOf } from "../services.ts";
import { SSO_ERROR_CODES } from "../sso-error-codes.ts";
import { findSsoProvider } from "./find-provider.ts";
import { assertTenantEntity } from "./saml-entity.ts";

/** Only those who may manage a tenant manage its identity providers, and all of them: a provider decides who signs in. */
export const manageProviders = async (ctx: GenericEndpointContext, tenantId: string): Promise<void> => {
	const { manages: action } = endpointOf(ctx.path);
	if (!action) return;
	await inContext(ctx, (whole) => servicesOf(ctx).management.assertAllowed(whole, action, tenantId));
	const providerId: unknown = ctx.body?.providerId ?? ctx.query?.providerId;
	if (action === "sso-provider:register") assertFreeName(ctx, providerId);
	assertTenantEntity(ctx.body?.samlConfig, { tenantId, providerId: String(providerId) });
	for (const name of ["callbackUrl", "idpInitiatedCallbackUrl"]) assertSafeRedirect(ctx.body?.samlConfig?.[name]);
	await actForTenant(ctx, providerId);
};

/** Looking up a session may set cookies, which takes a context as an endpoint has one. They are set at the next request. */
const inContext = async (
	ctx: GenericEndpointContext,
	run: (whole: GenericEndpointContext) => Promise<void>,
): Promise<void> => {
	await createAuthMiddleware(async (whole) => run({ ...whole, path: ctx.path }))({ ...ctx, returnHeaders: false });
};

/**
 * It stands in URLs, in names of DNS records, and beside the names of social providers in the key of accounts. Lower case:
 * MySQL takes both for one. No dot: the record that verifies a domain would lie below another one.
 */
const PROVIDER_ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

const assertFreeName = (ctx: GenericEndpointContext, providerId: unknown): void => {
	if (typeof providerId !== "string" || !PROVIDER_ID.test(providerId))
		throw APIError.from("BAD_REQUEST", SSO_ERROR_CODES.INVALID_SSO_PROVIDER_ID);
	// also those that nobody has configured yet: a tenant may do so at any time
	const isReserved =
		Object.hasOwn(socialProviders, providerId) ||
		servicesOf(ctx)
			.globalProviders()
			.some(({ id }) => id.toLowerCase() === providerId);
	if (isReserved) throw APIError.from("UNPROCESSABLE_ENTITY", SSO_ERROR_CODES.SSO_PROVIDER_ID_RESERVED);
};

/**
 * A provider belongs to its tenant and not to the user who registered it: it stays when that user goes, and whoever may
 * manage the tenant may change it, also where it is linked to an organization. The engine compares the provider's owner with
 * the session's user, and asks for the user's role in the organization.
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
