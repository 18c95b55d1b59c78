import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { type HintSources, type ResolvableRequest, readHint } from "../../resolve/hint.ts";
import { requestHost } from "../../resolve/request-host.ts";
import { isTenantId } from "../../resolve/tenant-id.ts";
import { PLATFORM } from "../pin/platform.ts";
import type { ReSigning } from "../secrets/re-sign.ts";
import { isLiveSession, readSessionCredential } from "../sessions/session-credential.ts";
import type { KnownTenants } from "../tenants/known-tenants.ts";
import { resolverToolsOf } from "../tenants/resolver-tools.ts";
import type { CredentialLookup } from "./credential-lookup.ts";
import { readFlowTenant } from "./flow-cookie.ts";
import { readTaggedInput } from "./tagged-input.ts";

export type DecideWith = {
	sources: HintSources;
	/** The lookups. `predictTenant` replaces each of them to apply the same rules without a database. */
	known: Pick<KnownTenants, "isOpen" | "admits">;
	lookUpCredential: CredentialLookup;
	isLive?: typeof isLiveSession;
	reSigning?: ReSigning | null;
};

/** Decides which tenant a request belongs to. Called once per request. Returns an open tenant or the platform. */
export const decideTenant = async (ctx: GenericEndpointContext, scope: DecideWith): Promise<string> => {
	const { sources, known, lookUpCredential, isLive = isLiveSession, reSigning } = scope;
	const { kind, returnsSession } = endpointOf(ctx.path);
	// throws for a suspended tenant: its requests must not run as the platform's
	const openOrPlatform = async (tenantId: string | undefined | null): Promise<string> =>
		tenantId && (await known.admits(tenantId)) ? tenantId : PLATFORM;
	if (kind === "platform") return PLATFORM;
	if (kind === "addressed") return requireOpen(addressee(ctx), known);
	const credential = await readSessionCredential(ctx, isLive);

	// the session of a suspended tenant is no session here; a browser may send it with a key, or to another tenant's sign-in page
	if (kind === "management")
		return credential && (await known.isOpen(credential.tenantId)) ? credential.tenantId : PLATFORM;

	const input = readTaggedInput(ctx);
	// only the state counts: a provider's redirect carries no tenant header, and a header must not change its tenant
	if (kind === "callback" && input) return openOrPlatform(input.tagged?.tenantId);

	const hint = await readHint(resolvable(ctx), sources);
	if (kind === "member" && hint && credential && credential.tenantId !== hint) {
		if (await isLive(ctx, credential)) {
			// checked before the tenant's existence, so another tenant and a missing one get the same response: on
			// /get-session null, because this session is not valid in either scope
			if (returnsSession) return openOrPlatform(hint);
			throw APIError.from("FORBIDDEN", TENANT_AUTH_ERROR_CODES.SESSION_TENANT_MISMATCH);
		}
	}
	if (hint) return requireOpen(hint, known);
	if (kind === "link") return openOrPlatform(input?.tagged?.tenantId);
	// an old cookie must not choose the tenant of a new sign-in
	if (kind === "entry" || kind === "callback") return PLATFORM;
	// here the credential decides before the session: machines and returning browsers do not act for the signed-in user
	if (kind === "open") return openOrPlatform((await lookUpCredential(ctx)) ?? credential?.tenantId);
	return openOrPlatform(
		credential?.tenantId ?? (await readFlowTenant(ctx, reSigning)) ?? (await lookUpCredential(ctx)),
	);
};

const requireOpen = async (tenantId: string | null, known: DecideWith["known"]): Promise<string> => {
	if (tenantId !== null && (await known.admits(tenantId))) return tenantId;
	throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
};

/** The tenant in the path. Null for the platform, which has its own paths. */
const addressee = (ctx: GenericEndpointContext): string | null => {
	const named: unknown = ctx.params?.tenantId;
	return isTenantId(named) && named !== PLATFORM ? named : null;
};

/** The parts of a request that a resolver receives, and what the plugin hands it. */
export const resolvable = (ctx: GenericEndpointContext): ResolvableRequest => {
	const tools = resolverToolsOf(ctx.context);
	return {
		path: ctx.path ?? "",
		request: ctx.request,
		headers: ctx.headers,
		body: ctx.body,
		query: ctx.query,
		// few resolvers read it
		get host() {
			return requestHost(ctx, tools);
		},
		tenants: tools?.tenants,
		platformHost: tools?.platformHost,
	};
};
