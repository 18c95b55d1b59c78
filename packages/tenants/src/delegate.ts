import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { dispatchAuthEndpoint } from "better-auth/api";
import type { Endpoint } from "better-call";
import { matchesPath } from "./engine/path-pattern.ts";
import { onRequest } from "./guards/on-request.ts";
import { DELEGATED } from "./scope/outage.ts";

type Dispatched = { headers?: Headers | null; response: unknown };

/**
 * Hands a request on to one of the engine's own endpoints, with all its hooks. What guards that endpoint by its path
 * guards it here too: `disabledPaths`, plugins that look at requests as they come in (captcha), and their middlewares.
 */
export const delegate = async (
	ctx: GenericEndpointContext,
	endpoint: Endpoint,
	body: Record<string, unknown>,
): Promise<unknown> => {
	await assertLetThrough(ctx, endpoint.path ?? "", body);
	const dispatched = await dispatchAuthEndpoint(endpoint, {
		...ctx,
		body,
		context: { ...ctx.context, [DELEGATED]: true },
		asResponse: false,
		returnHeaders: true,
		returnStatus: false,
	}).catch((error: unknown) => {
		// a refusal is as little for a cache as an answer
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

/** Takes over what the engine's endpoint set: cookies add up, everything else is replaced. */
export const copyHeaders = (from: Headers | null | undefined, ctx: GenericEndpointContext): void => {
	from?.forEach((value, name) => {
		if (name.toLowerCase() === "set-cookie") ctx.responseHeaders.append(name, value);
		else ctx.setHeader(name, value);
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
		// ours looks at how a body is written, and this one is JSON
		if (plugin.onRequest && plugin.onRequest !== onRequest) {
			const headers = new Headers(ctx.request.headers);
			headers.set("content-type", "application/json");
			headers.delete("content-length");
			const asked = new Request(`${baseURL}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
			const answer = await plugin.onRequest(asked, ctx.context);
			if (answer && "response" in answer) throw await toError(answer.response);
		}
		for (const guard of plugin.middlewares ?? []) {
			if (matchesPath(guard.path, path)) await guard.middleware({ ...ctx, path, body } as never); // the engine hands them as much, untyped
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
