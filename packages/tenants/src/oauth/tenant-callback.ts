import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import { callbackOAuth, dispatchAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { copyHeaders } from "../delegate.ts";
import { PLATFORM } from "../scope/platform.ts";
import { withTag } from "../scope/tag.ts";
import { handedOnTo } from "./flow-state.ts";
import { onceOnly } from "./once-only.ts";

// taken as they come: a failing callback answers with a redirect, never with a validation error
const parameters = z.record(z.string(), z.unknown()).optional();

/** Ends a social sign-in under a tenant: the engine's own callback, in the tenant that the state names. */
export const tenantCallback = (currentTenant: () => string) =>
	callbackAt("/tenant/callback/:id", "handleTenantOAuthCallback", currentTenant);

/** The same for a provider whose server the tenant named: see `callbackPathOf` in build-provider.ts. */
export const tenantOwnCallback = (currentTenant: () => string) =>
	callbackAt("/tenant/callback/:id/:tenant", "handleTenantOwnOAuthCallback", currentTenant);

const callbackAt = <Path extends string>(path: Path, operationId: string, currentTenant: () => string) =>
	createAuthEndpoint(
		path,
		{
			method: ["GET", "POST"],
			query: parameters,
			body: parameters,
			metadata: {
				allowedMediaTypes: ["application/x-www-form-urlencoded", "application/json"],
				openapi: {
					operationId,
					description: "OAuth callback of a tenant's social sign-in",
					responses: {
						"302": {
							description:
								"On success to callbackURL with a session cookie; on failure to the error URL with `error` and maybe `error_description`",
						},
					},
				},
			},
		},
		async (ctx) => {
			ctx.setHeader("cache-control", "no-store");
			const sent = { ...ctx.body, ...ctx.query };
			// a parameter that comes twice arrives as a list (RFC 6749, section 3.1: it must not)
			if (Object.values(sent).some((value) => typeof value !== "string"))
				throw ctx.redirect(errorURL(ctx, "invalid_callback_request"));
			assertNotDisabled(ctx);
			if (ctx.method === "POST") throw ctx.redirect(asGet(ctx, currentTenant()));
			if (!sent.state) throw ctx.redirect(errorURL(ctx, "state_not_found"));
			// a state that names no tenant is none of ours
			if (currentTenant() === PLATFORM) throw ctx.redirect(errorURL(ctx, "state_mismatch"));
			return finish(ctx, currentTenant());
		},
	);

/** Whoever closes the engine's callback for a provider closes ours. */
const assertNotDisabled = ({ context, params }: GenericEndpointContext): void => {
	if (context.options.disabledPaths?.includes(`/callback/${params?.id}`)) throw new APIError("NOT_FOUND");
};

const errorURL = (ctx: GenericEndpointContext, error: string): string => {
	const page = ctx.context.options.onAPIError?.errorURL ?? `${ctx.context.baseURL}/error`;
	return `${page}${page.includes("?") ? "&" : "?"}error=${error}`;
};

/** What the engine's callback reads. The rest of a form (Apple posts an ID token) has no place in a URL, which gets logged. */
const CALLBACK_FIELDS = new Set(["code", "state", "error", "error_description", "iss", "user", "device_id"]);

/** Providers that answer by form post (Apple): the browser's own cookie only comes along with a GET, so it is sent on one. */
const asGet = (ctx: GenericEndpointContext, tenantId: string): string => {
	const target = new URL(`${ctx.context.baseURL}${callbackPath(ctx)}`);
	for (const [name, value] of Object.entries({ ...ctx.body, ...ctx.query })) {
		if (typeof value !== "string" || !CALLBACK_FIELDS.has(name)) continue;
		// the tag was taken off on the way in
		target.searchParams.set(name, name === "state" && !value.includes("~") ? withTag(value, tenantId) : value);
	}
	return target.toString();
};

const callbackPath = ({ params }: GenericEndpointContext): string =>
	`/tenant/callback/${[params?.id, params?.tenant]
		.filter((part) => part !== undefined)
		.map(encodeURIComponent)
		.join("/")}`;

/**
 * Of parallel first sign-ins of one person all but one lose the race to create him; a second look finds him. MySQL ends one
 * of two transactions that wait for each other instead, which the engine calls an internal error.
 */
const ATTEMPTS = 5;
const LOST_RACE = new Set<string | null>(["unable_to_create_user", "internal_server_error"]);

const finish = async (ctx: GenericEndpointContext, tenantId: string): Promise<Response> => {
	const { context, flow } = handedOnTo(ctx.context, {
		tenantId,
		// a code can be redeemed once: what the provider said is kept for the second look
		providers: ctx.context.socialProviders.map(onceOnly),
		callback: callbackPath(ctx),
	});
	for (let attempt = 1; ; attempt += 1) {
		const response = (await dispatchAuthEndpoint(callbackOAuth, { ...ctx, context, asResponse: true })) as Response;
		const location = response.headers.get("location");
		const error = (location && URL.parse(location, ctx.context.baseURL)?.searchParams.get("error")) ?? null;
		// the application's own URL may say anything; only who has no session has lost
		const signedIn = response.headers
			.getSetCookie()
			.some((line) => line.startsWith(`${ctx.context.authCookies.sessionToken.name}=`));
		if (LOST_RACE.has(error) && !signedIn && attempt < ATTEMPTS) {
			// the first look may have found that the config changed: the second goes to the same server
			context.socialProviders = flow.chosen.at(-1) ?? context.socialProviders;
			continue;
		}
		copyHeaders(response.headers, ctx);
		if (location) throw ctx.redirect(location);
		return response;
	}
};
