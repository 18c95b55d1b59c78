import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthEndpoint } from "@better-auth/core/api";
import { callbackOAuth, dispatchAuthEndpoint } from "better-auth/api";
import { leanEndpoint } from "../../engine/lean-endpoint.ts";
import { onceOnly } from "../../lib/once-only.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { withTag } from "../../scope/pin/tag.ts";
import { copyHeaders } from "../../scope/request/delegate.ts";
import {
	assertNotDisabled,
	callbackOptions,
	errorURL,
	INVALID_REQUEST,
	keepPrivate,
	readParameters,
	refusePrefetch,
} from "./callback-request.ts";
import { handedOnTo } from "./flow-state.ts";
import { outcomeOf, resultURL } from "./test-outcome.ts";

/**
 * Completes a social sign-in in the tenant that the state names. The provider redirects the browser here. Parameters can also
 * be in a form (`response_mode=form_post`).
 */
export const tenantCallback = (currentTenant: () => string) =>
	leanEndpoint(callbackAt("/tenant/callback/:id", "handleTenantOAuthCallback", currentTenant));

/** Completes a social sign-in with a provider on the tenant's own server, for example the tenant's GitLab. */
export const tenantOwnCallback = (currentTenant: () => string) =>
	leanEndpoint(callbackAt("/tenant/callback/:id/:tenant", "handleTenantOwnOAuthCallback", currentTenant));

const callbackAt = <Path extends string>(path: Path, operationId: string, currentTenant: () => string) =>
	createAuthEndpoint(
		path,
		callbackOptions(path, {
			operationId,
			description: "OAuth callback of a tenant's social sign-in",
			redirect:
				"On success to callbackURL with a session cookie. On failure to the error URL with `error` and, if known, `error_description`",
		}),
		async (ctx) => {
			keepPrivate(ctx);
			refusePrefetch(ctx);
			const sent = readParameters(ctx);
			if (sent === null) throw ctx.redirect(errorURL(ctx, INVALID_REQUEST));
			assertNotDisabled(ctx);
			if (ctx.method === "POST") throw ctx.redirect(asGet(ctx, sent, currentTenant()));
			if (!sent.state) throw ctx.redirect(errorURL(ctx, "state_not_found"));
			// this endpoint never created a state without a tenant
			if (currentTenant() === PLATFORM) throw ctx.redirect(errorURL(ctx, "state_mismatch"));
			return finish(ctx, currentTenant(), readHandOver(sent));
		},
	);

/**
 * The fields that the engine's callback reads. Other form fields (Apple posts an ID token) must not be in a URL, as
 * URLs get logged.
 */
const CALLBACK_FIELDS = new Set(["code", "state", "error", "error_description", "iss", "user", "device_id"]);

/**
 * For providers that respond with a form post (Apple). The browser sends its cookie only with a GET, so it is
 * redirected.
 */
const asGet = (ctx: GenericEndpointContext, sent: Record<string, string>, tenantId: string): string => {
	const target = new URL(`${ctx.context.baseURL}${callbackPath(ctx)}`);
	for (const [name, value] of Object.entries(sent)) {
		if (!CALLBACK_FIELDS.has(name)) continue;
		// the tenant tag was removed when the request came in
		target.searchParams.set(name, name === "state" && !value.includes("~") ? withTag(value, tenantId) : value);
	}
	return target.toString();
};

const callbackPath = ({ params }: GenericEndpointContext): string =>
	`/tenant/callback/${[params?.id, params?.tenant]
		.filter((part) => part !== undefined)
		.map(encodeURIComponent)
		.join("/")}`;

type Returned = { query: Record<string, string>; handOver: string | null };

/**
 * A browser that `oauth.callbackHost` sent on has a code of ours instead of the provider's. Everything else that the provider
 * sent is in the stored state, so other parameters do not count. The engine continues only with a code.
 */
const readHandOver = (sent: Record<string, string>): Returned => {
	const { hand_over: handOver, state = "", error, error_description: description } = sent;
	if (handOver === undefined) return { query: sent, handOver: null };
	if (error === undefined) return { query: { state, code: "handed-over" }, handOver };
	return { query: { state, error, ...(description ? { error_description: description } : {}) }, handOver };
};

/**
 * If a new user signs in several times in parallel, only one request creates the user. The others retry and find that
 * user. MySQL instead aborts one of two deadlocked transactions, which the engine reports as an internal error.
 */
const ATTEMPTS = 5;
const LOST_RACE = new Set<string | null>(["unable_to_create_user", "internal_server_error"]);

const finish = async (
	ctx: GenericEndpointContext,
	tenantId: string,
	{ query, handOver }: Returned,
): Promise<Response> => {
	const { context, flow } = handedOnTo(ctx.context, {
		tenantId,
		// a code can be redeemed only once, so the provider's response is kept for the retries
		providers: ctx.context.socialProviders.map(onceOnly),
		callback: callbackPath(ctx),
		handOver,
	});
	for (let attempt = 1; ; attempt += 1) {
		const response = (await dispatchAuthEndpoint(callbackOAuth, {
			...ctx,
			query,
			context,
			asResponse: true,
		})) as Response;
		const location = response.headers.get("location");
		const error = (location && URL.parse(location, ctx.context.baseURL)?.searchParams.get("error")) ?? null;
		if (flow.test && location) {
			copyHeaders(response.headers, ctx);
			const outcome = outcomeOf(flow.test, { sent: query.error, engine: error });
			throw ctx.redirect(resultURL(flow.test.callbackURL, outcome));
		}
		// the application's own URL may contain `error` too; a response with a session is not a failure
		const signedIn = response.headers
			.getSetCookie()
			.some((line) => line.startsWith(`${ctx.context.authCookies.sessionToken.name}=`));
		if (LOST_RACE.has(error) && !signedIn && attempt < ATTEMPTS) {
			// if the first attempt found a changed config, the retry must use the same server
			context.socialProviders = flow.chosen.at(-1) ?? context.socialProviders;
			continue;
		}
		copyHeaders(response.headers, ctx);
		if (location) throw ctx.redirect(location);
		return response;
	}
};
