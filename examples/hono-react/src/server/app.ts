import { serveStatic } from "@hono/node-server/serve-static";
import { APIError } from "better-auth/api";
import { createTenantHandler } from "better-auth-tenants";
import { Hono, type MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { addressOf, auth, tenantOf } from "./auth.ts";
import { listUsers } from "./users.ts";

const handler = createTenantHandler(auth);

const api = new Hono()
	.on(["GET", "POST"], "/auth/*", ({ req }) => handler(req.raw))
	/** The users of the tenant one is signed in to. */
	.get("/users", async (c) => {
		const session = await auth.api.getSession({ headers: c.req.raw.headers });
		if (!session) return c.json({ message: "Sign in first." }, 401);
		return c.json(await listUsers(session.session.tenantId), 200);
	})
	/** All tenants with their users, to look at both sides of the demo. Your application has no such page. */
	.get("/overview", async (c) => {
		if (process.env.DEMO_OVERVIEW !== "true" || (await tenantOf(c.req.raw.headers)))
			return c.json({ message: "Not found." }, 404);
		const tenants = (await auth.api.listTenants()).sort((one, other) => one.name.localeCompare(other.name));
		const shown = tenants.map(async ({ id, name, slug, metadata }) => ({
			name,
			url: addressOf(slug),
			hue: Number(metadata?.hue ?? 0),
			users: await listUsers(id),
		}));
		return c.json(await Promise.all(shown), 200);
	});

/** Pages of a host of nobody have the status 404. The page itself says why: see client/error-boundary.tsx. */
const notFoundOnUnknownHosts: MiddlewareHandler = async (c, next) => {
	await next();
	if (!c.res.headers.get("content-type")?.startsWith("text/html")) return;
	const isNobodys = await tenantOf(c.req.raw.headers).then(
		() => false,
		(error: unknown) => error instanceof APIError && error.statusCode === 404,
	);
	if (isNobodys) c.res = new Response(c.res.body, { status: 404, headers: c.res.headers });
};

const routes = new Hono().route("/api", api);

export type Routes = typeof routes;

export const app = new Hono()
	.use(secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'self'"], imgSrc: ["'self'", "data:"] } }))
	.route("/", routes)
	.use(notFoundOnUnknownHosts)
	.use(serveStatic({ root: "dist" }))
	.get("*", serveStatic({ root: "dist", path: "index.html" }))
	.onError((error, c) => {
		// such as TENANT_NOT_FOUND on a host of nobody
		if (error instanceof APIError) return Response.json(error.body, { status: error.statusCode });
		console.error(error);
		return c.json({ message: "Something went wrong." }, 500);
	});
