import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { endpointOf } from "../engine/endpoints.ts";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { type HintSources, type ResolvableRequest, readHint } from "../resolve/hint.ts";
import { isTenantId } from "../resolve/tenant-id.ts";
import type { CredentialLookup } from "./credential-lookup.ts";
import { readFlowTenant } from "./flow-cookie.ts";
import type { KnownTenants } from "./known-tenants.ts";
import { PLATFORM } from "./platform.ts";
import { isLiveSession, readSessionCredential } from "./session-credential.ts";
import { readTaggedInput } from "./tagged-input.ts";

export type DecideWith = {
	sources: HintSources;
	/** The look-ups. `foresee` replaces each of them, so that the same rules decide without a database. */
	known: Pick<KnownTenants, "isOpen">;
	lookUpCredential: CredentialLookup;
	isLive?: typeof isLiveSession;
};

/** Decides which tenant a request belongs to. Called once for a request; the answer is an open tenant or the platform. */
export const decideTenant = async (ctx: GenericEndpointContext, scope: DecideWith): Promise<string> => {
	const { sources, known, lookUpCredential, isLive = isLiveSession } = scope;
	const { kind } = endpointOf(ctx.path);
	const openOrPlatform = async (tenantId: string | undefined | null): Promise<string> =>
		tenantId && (await known.isOpen(tenantId)) ? tenantId : PLATFORM;
	if (kind === "platform") return PLATFORM;
	if (kind === "addressed") return requireOpen(addressee(ctx), known);
	const credential = await readSessionCredential(ctx, isLive);

	if (kind === "management") return openOrPlatform(credential?.tenantId);

	const input = readTaggedInput(ctx);
	// the provider's redirect carries no header of ours, and a header must not move it: only the state counts
	if (kind === "callback" && input) return openOrPlatform(input.tagged?.tenantId);

	const hint = await readHint(resolvable(ctx), sources);
	if (kind === "member" && hint && credential && credential.tenantId !== hint) {
		// before asking whether the named tenant exists: a stranger's tenant and a missing one answer alike
		if (await isLive(ctx, credential))
			throw APIError.from("FORBIDDEN", TENANT_AUTH_ERROR_CODES.SESSION_TENANT_MISMATCH);
	}
	if (hint) return requireOpen(hint, known);
	if (kind === "link") return openOrPlatform(input?.tagged?.tenantId);
	// a cookie left over from another sign-in must not choose the tenant one signs in to
	if (kind === "entry" || kind === "callback") return PLATFORM;
	// machines and returning browsers are not about whoever is signed in; everywhere else the session says the tenant
	if (kind === "open") return openOrPlatform((await lookUpCredential(ctx)) ?? credential?.tenantId);
	return openOrPlatform(credential?.tenantId ?? (await readFlowTenant(ctx)) ?? (await lookUpCredential(ctx)));
};

const requireOpen = async (tenantId: string | null, known: DecideWith["known"]): Promise<string> => {
	if (tenantId !== null && (await known.isOpen(tenantId))) return tenantId;
	throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
};

/** The tenant that a path names. The platform has paths of its own. */
const addressee = (ctx: GenericEndpointContext): string | null => {
	const named: unknown = ctx.params?.tenantId;
	return isTenantId(named) && named !== PLATFORM ? named : null;
};

/** What a resolver is shown of a request. */
export const resolvable = (ctx: GenericEndpointContext): ResolvableRequest => ({
	path: ctx.path ?? "",
	request: ctx.request,
	headers: ctx.headers,
	body: ctx.body,
	query: ctx.query,
});
