import type { MiddlewareHandler } from "hono";
import type { AppEnvironment } from "./environment.ts";

const HEADERS = {
	"x-content-type-options": "nosniff",
	// addresses of this service hold tokens
	"referrer-policy": "no-referrer",
	"x-frame-options": "DENY",
	"cross-origin-opener-policy": "same-origin",
	"x-permitted-cross-domain-policies": "none",
};

/** Headers that keep browsers from doing more with an answer than they should. */
export const secureHeaders: MiddlewareHandler<AppEnvironment> = async (c, next) => {
	await next();
	const { headers } = c.res;
	for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
	const isPage = headers.get("content-type")?.startsWith("text/html");
	// the engine's own pages have their styles and scripts inside
	if (!headers.has("content-security-policy"))
		headers.set("content-security-policy", `${isPage ? "" : "default-src 'none'; "}frame-ancestors 'none'`);
	if (c.get("caller")?.scheme === "https") headers.set("strict-transport-security", "max-age=31536000");
	// what an endpoint says itself stands: some answers are public
	if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
};
