import type { BetterAuthOptions, GenericEndpointContext, HookEndpointContext } from "@better-auth/core";
import { createAuthMiddleware } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import { endpointOf } from "../../endpoints/endpoints.ts";
import type { HookContext } from "../../engine/hook.ts";
import { defineService } from "../../engine/service.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { readHint } from "../../resolve/hint.ts";
import { dispatchOf, noteDispatch } from "../pin/dispatch.ts";
import { PLATFORM } from "../pin/platform.ts";
import { explicitTenant, type TenantContext } from "../pin/tenant-context.ts";
import type { ReSigning } from "../secrets/re-sign.ts";
import type { createTenantSecrets } from "../secrets/secrets.ts";
import type { Hosts } from "../tenants/hosts.ts";
import { type DecideWith, decideTenant, resolvable } from "./decide.ts";
import { keepFlowTenant, touchesFlow } from "./flow-cookie.ts";
import { tagRedirect } from "./mail-links.ts";
import type { createTenantInstances } from "./per-tenant-instances.ts";
import { assertSafeBody } from "./safe-bodies.ts";
import { assertSafeRedirects } from "./safe-redirects.ts";
import { type RequestPatch, readTaggedInput } from "./tagged-input.ts";

export type ScopeWith = DecideWith & {
	pin: TenantContext;
	secrets: ReturnType<typeof createTenantSecrets>;
	instances: ReturnType<typeof createTenantInstances>;
	/** which hosts belong to tenants, if the resolver reads the host */
	hosts: Hosts | null;
	/** Throws for a value of a user that is too long to be stored. */
	assertSentFields: (ctx: GenericEndpointContext) => void;
	/** Throws while the database cannot isolate tenants. */
	assertTenantsOpen: () => Promise<void>;
	/** Counts an HTTP request for its tenant and waits for its turn, or rejects it. Called as soon as the tenant is decided. */
	admit: (tenantId: string) => void | Promise<void>;
	/** Signs again what another configured secret signed. Null if only one secret is configured. */
	reSigning: ReSigning | null;
	/** What checks and prepares a request of this path once its tenant is known, in order. */
	checksOf: (path: string | undefined) => readonly {
		run: (ctx: GenericEndpointContext, tenantId: string) => void | Promise<void>;
	}[];
};

/**
 * Whether a path may be served for this tenant. A path with a tenant id serves only that tenant; platform paths serve
 * only the platform.
 */
const isServedFor = (ctx: GenericEndpointContext, tenantId: string): boolean => {
	const { kind } = endpointOf(ctx.path);
	if (kind === "addressed") return ctx.params?.tenantId === tenantId;
	return kind !== "platform" || tenantId === PLATFORM || dispatchOf(ctx.context).tenantId === tenantId;
};

/** Whether `after` may change the response: to set the flow cookie, or to tag the token in a redirect. */
export const mayChangeResponse = (ctx: HookEndpointContext): boolean =>
	endpointOf(ctx.path).redirectsWithToken || touchesFlow(ctx);

/** Pins every request (HTTP or `auth.api`) to one tenant before the engine's endpoint runs. */
export const createRequestScope = (scope: ScopeWith) => {
	const { pin, secrets } = scope;
	const keptOptions = createKeptOptions();
	const decideOnce = createDecision(scope);

	const before = async (sent: GenericEndpointContext): Promise<{ context: RequestPatch } | undefined> => {
		let ctx = sent;
		assertSafeBody(ctx);
		scope.assertSentFields(ctx);
		assertSafeRedirects(ctx);
		const named = explicitTenant();
		const place = await (named === undefined
			? scope.hosts?.placeOf(ctx, ctx.context)
			: scope.hosts?.findPlaceFor(named, ctx, ctx.context));
		const decided = await decideOnce(ctx);
		if (place) {
			scope.hosts?.assertServedAt(place, ctx, decided);
			scope.hosts?.settle(ctx.context, place);
		}
		ctx.context.options = keptOptions(ctx.context.options);
		if (decided !== PLATFORM) await scope.assertTenantsOpen();
		const { tenantId: handedOnFrom } = dispatchOf(ctx.context);
		// the engine copies its context for each dispatch, so this changes no other request
		Object.assign(ctx.context, await secrets(decided), await scope.instances(decided));
		noteDispatch(ctx.context, { tenantId: decided });
		// a session of the other tenant is not valid in this one
		if (handedOnFrom !== undefined && handedOnFrom !== decided)
			Object.assign(ctx.context, { session: null, newSession: null });
		if (scope.reSigning) ctx = await scope.reSigning.request(ctx, decided);
		for (const { run } of scope.checksOf(ctx.path)) await run(ctx, decided);
		return replaceToken(ctx, decided);
	};

	/** Removes the tag from the token of an email link, or from an OAuth state, and signs a token again if it has to be. */
	const replaceToken = async (
		ctx: GenericEndpointContext,
		tenantId: string,
	): Promise<{ context: RequestPatch } | undefined> => {
		const input = readTaggedInput(ctx);
		if (!input?.tagged) return undefined;
		const { value, tenantId: named } = input.tagged;
		// no tag says the platform, also if something else named the tenant
		if (named !== tenantId && named !== PLATFORM) return undefined;
		const token = scope.reSigning ? await scope.reSigning.token(value, tenantId) : value;
		return named === tenantId || token !== value ? { context: input.untagged(token) } : undefined;
	};

	const after = async (ctx: HookContext): Promise<void> => {
		const tenantId = pin.current();
		await keepFlowTenant(ctx, tenantId, (await secrets(PLATFORM)).secret);
		const location = ctx.context.responseHeaders?.get("location");
		const tagged = endpointOf(ctx.path).redirectsWithToken && location && tagRedirect(location, tenantId);
		if (tagged) ctx.setHeader("location", tagged);
	};

	return { before, after };
};

const createDecision = (scope: ScopeWith) => {
	const { pin, known } = scope;

	/** The tenant of `runWithTenant`, else of the request this call runs in, else the one decided for a new request. */
	const decideOnce = async (ctx: GenericEndpointContext): Promise<string> => {
		const named = explicitTenant();
		if (named !== undefined) {
			if (!isServedFor(ctx, named)) throw APIError.from("CONFLICT", TENANT_AUTH_ERROR_CODES.TENANT_SCOPE_CONFLICT);
			if (!(await known.admits(named))) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
			if (ctx.request) await scope.admit(named);
			return named;
		}
		const pinned = pin.ofRequest();
		if (pinned !== null) {
			if (dispatchOf(ctx.context).tenantId === undefined) await assertNamesNoOther(ctx, pinned);
			return pinned;
		}
		const decided = await decideTenant(ctx, scope);
		pin.set(decided, ctx);
		// calls of server code have no request, or run in a request that is already counted
		if (ctx.request) await scope.admit(decided);
		return decided;
	};

	/**
	 * A call inside a request runs in the request's tenant, and so does background work that the request started. A call
	 * that names another tenant must fail instead of running in this one.
	 */
	const assertNamesNoOther = async (ctx: GenericEndpointContext, pinned: string): Promise<void> => {
		if (endpointOf(ctx.path).kind === "management") return;
		const isOtherRequest = ctx.request !== undefined && ctx.request !== pin.request();
		const named = isOtherRequest ? await decideTenant(ctx, scope) : await readHint(resolvable(ctx), scope.sources);
		if (named !== null && named !== pinned)
			throw APIError.from("CONFLICT", TENANT_AUTH_ERROR_CODES.TENANT_SCOPE_CONFLICT);
	};

	return decideOnce;
};

/** The application's before-hook runs before the hooks of plugins. This pins the request before it. */
export const pinBeforeApplicationHook = (
	options: BetterAuthOptions,
	before: ReturnType<typeof createRequestScope>["before"],
): void => {
	const own = options.hooks?.before;
	if (!own) return;
	const pinFirst = createAuthMiddleware(before);
	options.hooks = {
		...options.hooks,
		before: async (input) => {
			await pinFirst(input);
			return own(input);
		},
	};
};

/** What pins each request. */
export const requestScopeOf = defineService<ReturnType<typeof createRequestScope>>("requestScope");

/** Throws while the database cannot isolate tenants. */
export const databaseCheckOf = defineService<() => Promise<void>>("assertTenantsOpen");

/** More hosts than one process serves at a time. */
const MOST = 1000;

/**
 * With a base URL per host, the engine copies its options for each request. What it derives from them, such as the fields of a
 * user, it keeps by object, so it would build its tables twice per request. This returns the same object for equal options.
 */
export const createKeptOptions = () => {
	const kept = new BoundedCache<BetterAuthOptions>({ maxSize: MOST, maxAge: Number.POSITIVE_INFINITY });
	return (options: BetterAuthOptions): BetterAuthOptions => {
		if (typeof options.baseURL !== "string") return options;
		const known = kept.get(options.baseURL);
		if (known && isSame(known, options)) return known;
		kept.set(options.baseURL, options);
		return options;
	};
};

const isSame = (one: BetterAuthOptions, other: BetterAuthOptions): boolean => {
	if (one === other) return true;
	const names = Object.keys(one) as (keyof BetterAuthOptions)[];
	return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
};
