import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { Caller } from "./caller.ts";
import type { Place } from "./paths.ts";
import type { RequestContext } from "./request-context.ts";
import type { Route } from "./routes.ts";

/** What a request carries through the app. Without bindings it was made in the process itself, as tests do. */
export type AppEnvironment = {
	Bindings: Partial<HttpBindings> | undefined;
	Variables: {
		context: RequestContext;
		/** null where the request is malformed */
		caller: Caller | null;
		/** null where it is not the engine's */
		place: Place | null;
		route: Route;
	};
};

export type AppContext = Context<AppEnvironment>;
