import { Hono } from "hono";
import type { Auth } from "../auth/create-auth.ts";
import type { Config } from "../config/config.ts";
import { createConsolePaths } from "../http/console-files/console-paths.ts";
import { serveConsole } from "../http/console-files/serve-console.ts";
import { cors } from "../http/cors.ts";
import { refuseEmbedded } from "../http/embedded.ts";
import { engine } from "../http/engine.ts";
import { identify } from "../http/identify.ts";
import { observeRequests } from "../http/observe-requests.ts";
import { createProbes, type Readiness } from "../http/probes.ts";
import { secureHeaders } from "../http/secure-headers.ts";
import { traceRequests } from "../http/trace-requests.ts";
import { createPagePaths } from "../lib/page-paths.ts";
import type { Metrics } from "../measure/metrics.ts";
import { createSignInNotes } from "../measure/note-sign-in.ts";
import type { SignInCounts } from "../measure/sign-in-counts.ts";
import type { Logger } from "../observe/logger.ts";
import { createPages } from "../pages/create-pages.ts";
import { internalError, malformed, notFound } from "../request/answers.ts";
import { createBodyRoom } from "../request/body-room.ts";
import type { Caller } from "../request/caller.ts";
import type { AppEnvironment } from "../request/environment.ts";
import { createPaths } from "../request/paths.ts";
import { hostName, platformHosts } from "../request/platform-hosts.ts";
import { createRoutes } from "../request/routes.ts";
import { trustProxies } from "../request/trusted-proxies.ts";

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

	// with a port of their own they are there only: whether the database responds is nobody's business
	for (const [path, probe] of config.observe.metrics ? [] : createProbes(readiness))
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
