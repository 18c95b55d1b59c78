import { Hono } from "hono";
import type { Auth } from "../auth/create-auth.ts";
import type { Config } from "../config/config.ts";
import type { SignInCounts } from "../console/sign-in-counts.ts";
import { createConsolePaths } from "../console-files/console-paths.ts";
import { serveConsole } from "../console-files/serve-console.ts";
import type { Logger } from "../observe/logger.ts";
import type { Metrics } from "../observe/metrics.ts";
import { createSignInNotes } from "../observe/note-sign-in.ts";
import { createPages } from "../pages/create-pages.ts";
import { createPagePaths } from "../pages/page-paths.ts";
import { internalError, malformed, notFound } from "./answers.ts";
import { createBodyRoom } from "./body-room.ts";
import type { Caller } from "./caller.ts";
import { cors } from "./cors.ts";
import { refuseEmbedded } from "./embedded.ts";
import { engine } from "./engine.ts";
import type { AppEnvironment } from "./environment.ts";
import { identify } from "./identify.ts";
import { observeRequests } from "./observe-requests.ts";
import { createPaths } from "./paths.ts";
import { hostName, platformHosts } from "./platform-hosts.ts";
import { createProbes, type Readiness } from "./probes.ts";
import { createRoutes } from "./routes.ts";
import { secureHeaders } from "./secure-headers.ts";
import { traceRequests } from "./trace-requests.ts";
import { trustProxies } from "./trusted-proxies.ts";

type AppWith = {
	config: Pick<Config, "http" | "tenants" | "observe" | "pages" | "console" | "mail">;
	auth: Pick<Auth, "handler" | "api">;
	logger: Logger;
	metrics: Metrics;
	readiness: Readiness;
	/** counts sign-ins by tenant, for the console */
	signInCounts?: Pick<SignInCounts, "note"> | null;
};

/** The HTTP app. Middleware runs from top to bottom. */
export const createApp = (parts: AppWith): Hono<AppEnvironment> => {
	const { config, auth, logger, metrics, readiness, signInCounts = null } = parts;
	const { basePath, publicURL, trustedOrigins, trustedProxies, bodyLimit } = config.http;
	const tenantPath = config.tenants.resolvers.includes("path") ? config.tenants.path : null;
	const { resolvers } = config.tenants;
	const hasTenantHosts = resolvers.includes("subdomain") || resolvers.includes("custom-domain");
	const ours = platformHosts(config.http, config.tenants);
	const isTenantHost = ({ host }: Caller): boolean => hasTenantHosts && !ours.includes(hostName(host));
	// the engine must know the callback host by its own name
	const otherHosts = config.tenants.platformHosts.filter((host) => host !== config.tenants.callbackHost);
	const room = createBodyRoom(bodyLimit);
	const toEngine = engine({ auth, publicURL, basePath, platformHosts: otherHosts, bodyLimit, room, logger, metrics });
	const noteSignIn = createSignInNotes(logger, metrics, signInCounts);
	const pages = config.pages.enabled ? createPages({ config, ask: toEngine.ask, noteSignIn, room }) : null;
	const app = new Hono<AppEnvironment>();

	app.use(
		identify({
			isTrusted: trustProxies(trustedProxies),
			publicURL,
			placeOf: createPaths(basePath, tenantPath),
			pageOf: pages && createPagePaths(tenantPath),
			routes: createRoutes(auth.api),
			logger,
		}),
	);
	app.use(observeRequests(logger, metrics, noteSignIn));
	if (config.observe.tracing) app.use(traceRequests);
	app.use(secureHeaders);
	app.use(async (c, next) => (c.get("caller") ? next() : malformed()));
	app.use(cors({ publicURL, trustedOrigins, isTenantHost }));
	app.use(refuseEmbedded);

	for (const [path, probe] of createProbes(readiness))
		app.get(path, async (c) => {
			// another spelling would pass a proxy that keeps this path inside
			if (c.var.route.pattern !== path) return notFound();
			const { status, body } = await probe();
			return c.json(body, status);
		});
	app.all(`${basePath}/*`, toEngine.handle);
	if (tenantPath) app.all(`${tenantPath}${basePath}/*`, toEngine.handle);
	if (pages) {
		app.get("/pages/*", pages.asset);
		app.on(["GET", "POST"], "*", (c, next) => (c.var.pagePlace ? pages.respond(c, c.var.pagePlace) : next()));
	}

	if (config.console.enabled) {
		const consoleAt = createConsolePaths(tenantPath);
		const serve = serveConsole({
			basePath,
			hasSignInPage: ({ var: { caller } }, base) =>
				pages !== null && (base !== "" || (caller !== null && isTenantHost(caller))),
		});
		app.all("*", (c, next) => {
			const at = consoleAt(c.req.path);
			return at ? serve(c, at) : next();
		});
	}

	app.notFound(() => notFound());
	app.onError((error) => {
		metrics.unhandledError();
		logger.error({ err: error }, "request failed");
		return internalError();
	});
	return app;
};
