import type { GenericEndpointContext } from "@better-auth/core";
import { optionsMiddleware } from "@better-auth/core/api";
import { formCsrfMiddleware } from "better-auth/api";
import type { Endpoint, Middleware } from "better-call";

/**
 * Makes an endpoint faster: removes the engine's `optionsMiddleware`, which exists only for its type, and calls the engine's
 * check of forms only if it might reject. Each middleware builds a context with headers and parsed cookies, and the check
 * builds three.
 *
 * It changes the endpoint itself. Pass one that this package created, or had the engine create for it.
 */
export const leanEndpoint = <Created extends Pick<Endpoint, "options">>(
	endpoint: Created,
	isExempt: Exemption = isFromTrustedOrigin,
): Created => {
	const { options } = endpoint;
	options.use = options.use
		?.filter((middleware) => middleware !== optionsMiddleware)
		.map((middleware) => (middleware === formCsrfMiddleware ? checkForms(isExempt) : middleware));
	return endpoint;
};

/** Whether the engine's check of forms is not needed for a request. */
type Exemption = (ctx: GenericEndpointContext) => boolean;

// the engine passes an object that its type does not describe
const checkForms = (isExempt: Exemption): Middleware =>
	Object.assign(
		async (ctx: GenericEndpointContext): Promise<unknown> =>
			isExempt(ctx) ? { headers: null, response: undefined } : formCsrfMiddleware(ctx as never),
		{ options: formCsrfMiddleware.options },
	) as unknown as Middleware;

/**
 * For an endpoint that the engine does not check for forms, because it accepts JSON only, and that accepts forms here. JSON
 * without an origin is not a browser's: a page cannot send this type to another site without a preflight, which names its
 * origin. The engine still checks the origin of a request with cookies.
 */
export const isTrustedOrJson: Exemption = (ctx) =>
	isFromTrustedOrigin(ctx) || (isJson(ctx.request) && !ctx.request?.headers.has("origin"));

/** Whether the type is JSON itself. A page may send `text/plain; application/json` and no type at all without a preflight. */
const isJson = (request: Request | undefined): boolean =>
	request?.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() === "application/json";

/**
 * Whether the engine's check accepts the request because of its origin. A navigation is left to the check, which rejects it
 * from another site whatever its origin says.
 */
const isFromTrustedOrigin = ({ request, context }: GenericEndpointContext): boolean => {
	const origin = request?.headers.get("origin");
	if (!request || !origin || origin === "null" || request.headers.get("sec-fetch-mode") === "navigate") return false;
	return context.isTrustedOrigin(origin);
};
