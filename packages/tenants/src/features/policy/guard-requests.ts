import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { endpointOf } from "../../endpoints/endpoints.ts";
import type { SharedCount } from "../../load/limits/count-in-window.ts";
import { createTenantRequests } from "../../load/limits/tenant-requests.ts";
import type { TenantContext } from "../../scope/pin/tenant-context.ts";
import { carriesLiveImpersonation } from "../../scope/sessions/impersonated-session.ts";
import { recordMethod } from "../second-factor/challenge-method.ts";
import { methodRefusal } from "./admit-sessions.ts";
import { POLICY_ERROR_CODES } from "./error-codes.ts";
import { allowsMethod, methodOf } from "./methods.ts";
import type { createPasswordRules } from "./password-rules.ts";
import type { Policies } from "./policies.ts";
import { allowsAddress } from "./request-address.ts";
import type { PolicyRules } from "./rules.ts";
import type { createSignUpRules } from "./sign-up-rules.ts";

type With = {
	pin: Pick<TenantContext, "current">;
	policies: Pick<Policies, "of">;
	signUps: Pick<ReturnType<typeof createSignUpRules>, "before">;
	passwords: Pick<ReturnType<typeof createPasswordRules>, "before">;
	/** where processes count together */
	shared: SharedCount | undefined;
};

/** Applies the policy to a request whose tenant is known, before its endpoint runs. */
export const createRequestGuard = ({ pin, policies, signUps, passwords, shared }: With) => {
	const countRequest = createRequestCount(shared);
	return async (ctx: GenericEndpointContext): Promise<void> => {
		const tenantId = pin.current();
		const rules = await policies.of(tenantId);
		if (!rules) return;
		await countRequest(ctx, tenantId, rules);
		await assertAddress(ctx, tenantId, rules);
		assertMethod(ctx, rules);
		await signUps.before(rules, ctx);
		await passwords.before(rules, ctx);
		limitSessions(ctx, rules);
		recordMethod(ctx, methodOf(ctx));
	};
};

/**
 * All requests of the tenant's users, not only sign-ins: a stolen cookie must not work elsewhere, and nobody outside may try
 * passwords. Not calls of servers, which have other credentials, and not operators.
 */
const assertAddress = async (ctx: GenericEndpointContext, tenantId: string, rules: PolicyRules): Promise<void> => {
	const isServerCode = !ctx.request && !ctx.headers;
	if (rules.ipRanges === "any" || isServerCode || endpointOf(ctx.path).servesMachines) return;
	if (allowsAddress(rules, ctx, ctx.context.options) || (await carriesLiveImpersonation(ctx, tenantId))) return;
	throw APIError.from("FORBIDDEN", POLICY_ERROR_CODES.IP_ADDRESS_NOT_ALLOWED);
};

/**
 * Refuses a sign-in before the engine checks a password or sends a mail. Other ways, such as callbacks, are refused where the
 * session is created: they redirect to the application's error page.
 */
const assertMethod = (ctx: GenericEndpointContext, rules: PolicyRules): void => {
	const { kind, signsInWith, signsUp } = endpointOf(ctx.path);
	if (kind !== "entry" || signsInWith === null) return;
	const method = methodOf(ctx);
	// whether the user is one of them is not known yet
	const isForSome = method === "password" && !signsUp && rules.breakGlassUserIds.length > 0;
	if (!isForSome && !allowsMethod(rules, method, null)) throw methodRefusal({ ...rules, breakGlassUserIds: [] }, ctx);
};

/** Lets the engine write the times that hold into sessions and cookies. A session that has a fixed end is not extended. */
const limitSessions = ({ context }: GenericEndpointContext, { sessionMaxAge }: PolicyRules): void => {
	const { sessionConfig } = context;
	if (sessionMaxAge === false || sessionMaxAge > sessionConfig.expiresIn) return;
	// the engine copies its context for each dispatch, so this changes no other request
	context.sessionConfig = { ...sessionConfig, expiresIn: sessionMaxAge, updateAge: sessionMaxAge };
};

/** The limit that the tenant chose. */
const createRequestCount = (shared: SharedCount | undefined) => {
	const count = createTenantRequests("policy", shared);
	const counted = new WeakSet<Request>();
	return async (ctx: GenericEndpointContext, tenantId: string, { rateLimit }: PolicyRules): Promise<void> => {
		if (!rateLimit || !ctx.request || !ctx.context.rateLimit.enabled || endpointOf(ctx.path).kind === "management")
			return;
		// a request that is handed on to another endpoint counts once
		if (counted.has(ctx.request)) return;
		counted.add(ctx.request);
		await count(ctx, tenantId, rateLimit);
	};
};
