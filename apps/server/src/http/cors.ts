import type { MiddlewareHandler } from "hono";
import { refusal } from "../request/answers.ts";
import type { Caller } from "../request/caller.ts";
import type { AppEnvironment } from "../request/environment.ts";
import { createOriginCheck } from "./origins.ts";

/**
 * Response headers that pages may read: tokens of the bearer and jwt plugins, pagination, rate limits and the request
 * id.
 */
const EXPOSED = ["x-request-id", "retry-after", "x-retry-after", "link", "set-auth-token", "set-auth-jwt"];
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";

type CorsWith = {
	publicURL: string;
	trustedOrigins: readonly string[];
	/** Whether a request was sent to the host of a tenant. A page of the platform must not read what is returned there. */
	isTenantHost: (caller: Caller) => boolean;
};

/** Allows only pages of trusted origins to call the API with their cookies. Never sends a wildcard. */
export const cors = ({ publicURL, trustedOrigins, isTenantHost }: CorsWith): MiddlewareHandler<AppEnvironment> => {
	const isTrusted = createOriginCheck([publicURL, ...trustedOrigins]);
	const isTrustedAtTenant = createOriginCheck(trustedOrigins);
	return async (c, next) => {
		const origin = c.req.header("origin");
		const { caller } = c.var;
		const check = caller && isTenantHost(caller) ? isTrustedAtTenant : isTrusted;
		const allowed = origin !== undefined && check(origin);
		if (origin !== undefined && c.req.method === "OPTIONS" && c.req.header("access-control-request-method")) {
			c.res = allowed ? preflight(c.req.header("access-control-request-headers")) : refusal(403, "ORIGIN_NOT_ALLOWED");
		} else await next();

		const { headers } = c.res;
		// a cache must not serve a response for one origin to another
		headers.append("vary", "Origin");
		headers.delete("access-control-allow-origin");
		headers.delete("access-control-allow-credentials");
		if (!allowed) return;
		headers.set("access-control-allow-origin", origin);
		headers.set("access-control-allow-credentials", "true");
		headers.set("access-control-expose-headers", EXPOSED.join(", "));
	};
};

const preflight = (requested: string | undefined): Response =>
	new Response(null, {
		status: 204,
		headers: {
			"access-control-allow-methods": METHODS,
			...(requested ? { "access-control-allow-headers": requested } : {}),
			"access-control-max-age": "600",
			vary: "Access-Control-Request-Headers",
		},
	});
