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
export const leanEndpoint = <Created extends Pick<Endpoint, "options">>(endpoint: Created): Created => {
	const { options } = endpoint;
	options.use = options.use
		?.filter((middleware) => middleware !== optionsMiddleware)
		.map((middleware) => (middleware === formCsrfMiddleware ? checkUntrustedForms : middleware));
	return endpoint;
};

// the engine passes an object that its type does not describe
const checkUntrustedForms = Object.assign(
	async (ctx: GenericEndpointContext): Promise<unknown> =>
		isFromTrustedOrigin(ctx) ? { headers: null, response: undefined } : formCsrfMiddleware(ctx as never),
	{ options: formCsrfMiddleware.options },
) as unknown as Middleware;

/**
 * Whether the engine's check accepts the request because of its origin. A navigation is left to the check, which rejects it
 * from another site whatever its origin says.
 */
const isFromTrustedOrigin = ({ request, context }: GenericEndpointContext): boolean => {
	const origin = request?.headers.get("origin");
	if (!request || !origin || origin === "null" || request.headers.get("sec-fetch-mode") === "navigate") return false;
	return context.isTrustedOrigin(origin);
};
