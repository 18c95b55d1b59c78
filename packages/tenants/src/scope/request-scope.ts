import type { BetterAuthOptions, GenericEndpointContext, HookEndpointContext } from "@better-auth/core";
import { createAuthMiddleware } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import { endpointOf } from "../engine/endpoints.ts";
import type { HookContext } from "../engine/hook.ts";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { assertSafeBody } from "../guards/safe-bodies.ts";
import { assertSafeRedirects } from "../guards/safe-redirects.ts";
import { readHint } from "../resolve/hint.ts";
import { SCOPED, scopeOf } from "./context-scope.ts";
import { type DecideWith, decideTenant, resolvable } from "./decide.ts";
import { keepFlowTenant, touchesFlow } from "./flow-cookie.ts";
import { tagRedirect } from "./mail-links.ts";
import { PLATFORM } from "./platform.ts";
import type { createTenantSecrets } from "./secrets.ts";
import { type RequestPatch, readTaggedInput } from "./tagged-input.ts";
import { explicitTenant, type TenantContext } from "./tenant-context.ts";
import type { createTenantObjects } from "./tenant-objects.ts";

export type ScopeWith = DecideWith & {
	pin: TenantContext;
	secrets: ReturnType<typeof createTenantSecrets>;
	objects: ReturnType<typeof createTenantObjects>;
	/** Refuses while the database cannot keep tenants apart. */
	assertTenantsOpen: () => Promise<void>;
	/** Counts an HTTP request for its tenant as soon as that is decided, or refuses it. */
	admit: (tenantId: string) => void;
	/** What else is prepared for the request once its tenant is known. */
	onPinned: (ctx: GenericEndpointContext, tenantId: string) => Promise<void>;
};

/** An address that names a tenant, or is the platform's alone, is served for no other one, whoever calls the handler. */
const isServedFor = (ctx: GenericEndpointContext, tenantId: string): boolean => {
	const { kind } = endpointOf(ctx.path);
	if (kind === "addressed") return ctx.params?.tenantId === tenantId;
	return kind !== "platform" || tenantId === PLATFORM || scopeOf(ctx.context) === tenantId;
};

/** Whether `after` has anything to do: a cookie beside a new session's, or the tenant in a link of a mail. */
export const mayAnswerMore = (ctx: HookEndpointContext): boolean =>
	endpointOf(ctx.path).redirectsWithToken || touchesFlow(ctx);

/** Pins every request, HTTP and `auth.api` alike, to one tenant before anything of the engine runs. */
export const createRequestScope = (scope: ScopeWith) => {
	const { pin, secrets, known } = scope;

	/** The tenant of server code that named one, of the request this call runs in, or of a request that is new here. */
	const decideOnce = async (ctx: GenericEndpointContext): Promise<string> => {
		const named = explicitTenant();
		if (named !== undefined) {
			if (!isServedFor(ctx, named)) throw APIError.from("CONFLICT", TENANT_AUTH_ERROR_CODES.TENANT_SCOPE_CONFLICT);
			if (!(await known.isOpen(named))) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
			return named;
		}
		const pinned = pin.ofRequest();
		if (pinned !== null) {
			if (scopeOf(ctx.context) === undefined) await assertNamesNoOther(ctx, pinned);
			return pinned;
		}
		const decided = await decideTenant(ctx, scope);
		await pin.set(decided, ctx.request);
		// the server's own calls belong to no request, or to one that is counted already
		if (ctx.request) scope.admit(decided);
		return decided;
	};

	/**
	 * A call inside a request runs in its tenant, and so does whatever a request started and left running. One that says
	 * it is for another tenant must not silently end up in this one.
	 */
	const assertNamesNoOther = async (ctx: GenericEndpointContext, pinned: string): Promise<void> => {
		if (endpointOf(ctx.path).kind === "management") return;
		const isOtherRequest = ctx.request !== undefined && ctx.request !== pin.request();
		const named = isOtherRequest ? await decideTenant(ctx, scope) : await readHint(resolvable(ctx), scope.sources);
		if (named !== null && named !== pinned)
			throw APIError.from("CONFLICT", TENANT_AUTH_ERROR_CODES.TENANT_SCOPE_CONFLICT);
	};

	const before = async (ctx: GenericEndpointContext): Promise<{ context: RequestPatch } | undefined> => {
		assertSafeBody(ctx);
		assertSafeRedirects(ctx);
		const decided = await decideOnce(ctx);
		if (decided !== PLATFORM) await scope.assertTenantsOpen();
		const handedOnFrom = scopeOf(ctx.context);
		// the engine copies its context for each dispatch, so this reaches no other request
		Object.assign(ctx.context, await secrets(decided), await scope.objects(decided), { [SCOPED]: decided });
		// whoever is signed in there is nobody here
		if (handedOnFrom !== undefined && handedOnFrom !== decided)
			Object.assign(ctx.context, { session: null, newSession: null });
		await scope.onPinned(ctx, decided);
		const input = readTaggedInput(ctx);
		if (input?.tagged?.tenantId === decided) return { context: input.untagged(input.tagged.value) };
		return undefined;
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

/** The application's own before-hook runs ahead of every plugin's; it must find the request pinned all the same. */
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
