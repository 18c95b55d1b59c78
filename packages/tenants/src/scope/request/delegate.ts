import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { dispatchAuthEndpoint } from "better-auth/api";
import type { Endpoint } from "better-call";
import { matchesPath } from "../../engine/path-pattern.ts";
import { PLUGIN_ID } from "../../engine/service.ts";
import { noteDispatch } from "../pin/dispatch.ts";

type Dispatched = { headers?: Headers | null; response: unknown };

/**
 * Calls one of the engine's own endpoints with all its hooks. Everything that guards that endpoint by its path also
 * applies here: `disabledPaths`, the `onRequest` of plugins (captcha), and their middlewares.
 */
export const delegate = async (
	ctx: GenericEndpointContext,
	endpoint: Endpoint,
	body: Record<string, unknown>,
): Promise<unknown> => {
	await assertLetThrough(ctx, endpoint.path ?? "", body);
	const context = { ...ctx.context };
	noteDispatch(context, { isDelegated: true });
	const dispatched = await dispatchAuthEndpoint(endpoint, {
		...ctx,
		body,
		context,
		asResponse: false,
		returnHeaders: true,
		returnStatus: false,
	}).catch((error: unknown) => {
		// errors must not be cached either
		if (error instanceof APIError) error.headers = withNoStore(error.headers);
		throw error;
	});
	const { headers, response } = dispatched as Dispatched;
	copyHeaders(headers, ctx);
	ctx.setHeader("cache-control", "no-store");
	return response;
};

const withNoStore = (headers: ConstructorParameters<typeof Headers>[0]): Headers => {
	const stored = new Headers(headers);
	stored.set("cache-control", "no-store");
	return stored;
};

/**
 * Copies the headers that the engine's endpoint set. Cookies are appended, other headers are replaced. A before-hook runs
 * for both endpoints, and since Better Auth 1.7.18 its cookies are already in the response: those are not repeated.
 */
export const copyHeaders = (from: Headers | null | undefined, ctx: GenericEndpointContext): void => {
	const { responseHeaders } = ctx.context as { responseHeaders?: Headers | undefined };
	const sent = new Set(responseHeaders?.getSetCookie());
	from?.forEach((value, name) => {
		if (name.toLowerCase() !== "set-cookie") ctx.setHeader(name, value);
		else if (!sent.has(value)) ctx.responseHeaders.append(name, value);
	});
};

const assertLetThrough = async (
	ctx: GenericEndpointContext,
	path: string,
	body: Record<string, unknown>,
): Promise<void> => {
	const { options, baseURL } = ctx.context;
	if (options.disabledPaths?.includes(path)) throw new APIError("NOT_FOUND");
	if (!ctx.request) return;
	for (const plugin of options.plugins ?? []) {
		// skips this plugin's own check, which is about the encoding of the body: this one is JSON
		if (plugin.onRequest && plugin.id !== PLUGIN_ID) {
			const headers = new Headers(ctx.request.headers);
			headers.set("content-type", "application/json");
			headers.delete("content-length");
			const request = new Request(`${baseURL}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
			const result = await plugin.onRequest(request, ctx.context);
			if (result && "response" in result) throw await toError(result.response);
		}
		for (const guard of plugin.middlewares ?? []) {
			if (matchesPath(guard.path, path)) await guard.middleware({ ...ctx, path, body } as never); // the engine passes the same object, untyped
		}
	}
};

const toError = async (response: Response): Promise<APIError> => {
	const body: unknown = await response
		.clone()
		.json()
		.catch(() => ({}));
	return new APIError(response.status as ConstructorParameters<typeof APIError>[0], body as Record<string, unknown>);
};
