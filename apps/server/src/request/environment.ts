import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { PagePlace } from "../lib/page-paths.ts";
import type { RequestContext } from "../lib/request-context.ts";
import type { Caller } from "./caller.ts";
import type { Place } from "./paths.ts";
import type { Route } from "./routes.ts";

/** The context of a request in the app. Bindings are missing if the request was made in the process, as tests do. */
export type AppEnvironment = {
	Bindings: Partial<HttpBindings> | undefined;
	Variables: {
		context: RequestContext;
		/** null if the request is malformed */
		caller: Caller | null;
		/** null if the path does not belong to the engine */
		place: Place | null;
		/** null if the path is not a page's, or pages are off */
		pagePlace: PagePlace | null;
		route: Route;
	};
};

export type AppContext = Context<AppEnvironment>;
