import type { MiddlewareHandler } from "hono";
import { refusal } from "../request/answers.ts";
import type { AppEnvironment } from "../request/environment.ts";

/** What a page loads without asking anybody (Fetch Metadata, `Sec-Fetch-Dest`). A frame is not one: it is shown. */
const LOADED = new Set(["audio", "embed", "font", "image", "manifest", "object", "script", "style", "track", "video"]);

/**
 * Refuses endpoints and pages that a page loads as an image, a script or a style sheet. Hosts of tenants are one site to
 * browsers, so the logo of one tenant could be a link that signs its visitors in to another, and they would not see it.
 */
export const refuseEmbedded: MiddlewareHandler<AppEnvironment> = async (c, next) => {
	const isServed = c.var.place !== null || c.var.pagePlace !== null;
	if (isServed && LOADED.has(c.req.header("sec-fetch-dest") ?? "")) return refusal(403, "EMBEDDED_REQUEST");
	return next();
};
