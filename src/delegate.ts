import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { dispatchAuthEndpoint } from "better-auth/api";
import type { Endpoint } from "better-call";

type Dispatched = { headers?: Headers | null; response: unknown };

/**
 * Hands a request on to one of the engine's own endpoints, with all its hooks. What guards that endpoint by its path
 * guards it here too: `disabledPaths`, and plugins that look at requests as they come in (captcha).
 */
export const delegate = async (
	ctx: GenericEndpointContext,
	endpoint: Endpoint,
	body: Record<string, unknown>,
): Promise<unknown> => {
	await assertLetThrough(ctx, endpoint.path ?? "");
	const dispatched = await dispatchAuthEndpoint(endpoint, {
		...ctx,
		body,
		context: ctx.context,
		asResponse: false,
		returnHeaders: true,
		returnStatus: false,
	});
	const { headers, response } = dispatched as Dispatched;
	copyHeaders(headers, ctx);
	return response;
};

/** Takes over what the engine's endpoint set: cookies add up, everything else is replaced. */
export const copyHeaders = (from: Headers | null | undefined, ctx: GenericEndpointContext): void => {
	from?.forEach((value, name) => {
		if (name.toLowerCase() === "set-cookie") ctx.responseHeaders.append(name, value);
		else ctx.setHeader(name, value);
	});
};

const assertLetThrough = async (ctx: GenericEndpointContext, path: string): Promise<void> => {
	if (ctx.context.options.disabledPaths?.includes(path)) throw new APIError("NOT_FOUND");
	if (!ctx.request) return;
	const asked = new Request(`${ctx.context.baseURL}${path}`, {
		method: ctx.request.method,
		headers: ctx.request.headers,
	});
	for (const plugin of ctx.context.options.plugins ?? []) {
		const answer = await plugin.onRequest?.(asked, ctx.context);
		if (answer && "response" in answer) throw await toError(answer.response);
	}
};

const toError = async (response: Response): Promise<APIError> => {
	const body: unknown = await response
		.clone()
		.json()
		.catch(() => ({}));
	return new APIError(response.status as ConstructorParameters<typeof APIError>[0], body as Record<string, unknown>);
};
