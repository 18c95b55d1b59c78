import type { MiddlewareHandler } from "hono";
import type { AppEnvironment } from "../request/environment.ts";

const HEADERS = {
	"x-content-type-options": "nosniff",
	// URLs of this server may contain tokens
	"referrer-policy": "no-referrer",
	"x-frame-options": "DENY",
	"cross-origin-opener-policy": "same-origin",
	"x-permitted-cross-domain-policies": "none",
};

/** Sets security headers on every response. */
export const secureHeaders: MiddlewareHandler<AppEnvironment> = async (c, next) => {
	await next();
	const { headers } = c.res;
	// the pages have a policy of their own, with which browsers send the origin of a form
	for (const [name, value] of Object.entries(HEADERS))
		if (name !== "referrer-policy" || headers.get(name) !== "same-origin") headers.set(name, value);
	const isPage = headers.get("content-type")?.startsWith("text/html");
	// the engine's pages have inline styles and scripts
	if (!headers.has("content-security-policy"))
		headers.set("content-security-policy", `${isPage ? "" : "default-src 'none'; "}frame-ancestors 'none'`);
	if (c.get("caller")?.scheme === "https") headers.set("strict-transport-security", "max-age=31536000");
	// a proxy may pass on what its caller sent, and a cache must not store the response of one host for another
	if (c.get("caller")?.isProxied) headers.append("vary", "X-Forwarded-Host");
	// an endpoint may set its own: some responses are public
	if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
};
