import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";

/** Accepts anything: a failing callback responds with a redirect, never with a validation error. */
const anything = z.record(z.string(), z.unknown()).optional();

export const INVALID_REQUEST = "invalid_callback_request";

/** Longer than any provider's. A callback writes what it received to a URL, or to a row. */
const MAX_LENGTH = 10_000;

/**
 * A repeated parameter arrives as a list; RFC 6749, section 3.1 forbids it. With one state, the flow fails at its own
 * error URL. Null without one.
 */
export const readParameters = (ctx: GenericEndpointContext): Record<string, string> | null => {
	const sent: Record<string, unknown> = { ...ctx.body, ...ctx.query };
	if (areTexts(sent)) return sent;
	return typeof sent.state === "string" ? { state: sent.state, error: INVALID_REQUEST } : null;
};

const areTexts = (sent: Record<string, unknown>): sent is Record<string, string> =>
	Object.values(sent).every((value) => typeof value === "string" && value.length <= MAX_LENGTH);

/** Disabling the engine's callback of a provider also disables those of tenants. */
export const assertNotDisabled = ({ context, params }: GenericEndpointContext): void => {
	if (context.options.disabledPaths?.includes(`/callback/${params?.id}`)) throw new APIError("NOT_FOUND");
};

/** The application's error page, for a callback whose flow is not known. */
export const errorURL = (ctx: GenericEndpointContext, error: string): string => {
	const page = ctx.context.options.onAPIError?.errorURL ?? `${ctx.context.baseURL}/error`;
	return `${page}${page.includes("?") ? "&" : "?"}error=${error}`;
};

/** The response is not stored, and the next page does not learn the URL of this one, which contains a code. */
export const keepPrivate = (ctx: GenericEndpointContext): void => {
	ctx.setHeader("cache-control", "no-store");
	ctx.setHeader("referrer-policy", "no-referrer");
};

/** A browser may load a link before its user follows it. That must not use the state up. */
export const refusePrefetch = ({ headers }: GenericEndpointContext): void => {
	const purpose = headers?.get("sec-purpose") ?? headers?.get("purpose") ?? "";
	if (/prefetch|prerender/i.test(purpose)) throw new APIError("SERVICE_UNAVAILABLE");
};

const sentByProvider = {
	code: "The authorization code",
	state: "The state of the flow. It names the tenant",
	error: "Why the provider refused, instead of a code",
	error_description: "Details of `error`",
};

const text = { type: "string" as const };
/** The parameters of a callback, for OpenAPI. */
const parametersOf = (path: string) => [
	{ name: "id", in: "path" as const, required: true, schema: text, description: "Provider id" },
	...(path.includes("/:tenant")
		? [{ name: "tenant", in: "path" as const, required: true, schema: text, description: "Tenant id" }]
		: []),
	...Object.entries(sentByProvider).map(([name, description]) => ({
		name,
		in: "query" as const,
		schema: text,
		description,
	})),
];

type Documented = { operationId: string; description: string; redirect: string };

/** What all callbacks accept, and how OpenAPI documents one: every response is a redirect. */
export const callbackOptions = (path: string, { operationId, description, redirect }: Documented) => ({
	method: ["GET" as const, "POST" as const],
	query: anything,
	body: anything,
	metadata: {
		allowedMediaTypes: ["application/x-www-form-urlencoded", "application/json"],
		openapi: {
			operationId,
			description,
			parameters: parametersOf(path),
			responses: { "302": { description: redirect } },
		},
	},
});
