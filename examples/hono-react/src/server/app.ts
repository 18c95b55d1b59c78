import { serveStatic } from "@hono/node-server/serve-static";
import { APIError } from "better-auth/api";
import { createTenantHandler } from "better-auth-tenants";
import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { addressOf, auth, tenantOf } from "./auth.ts";
import { listUsers } from "./users.ts";

const handler = createTenantHandler(auth);

const api = new Hono()
	.on(["GET", "POST"], "/auth/*", ({ req }) => handler(req.raw))
	/** The tenant of this host, for the page's heading. */
	.get("/tenant", async (c) => {
		const tenant = await tenantOf(c.req.raw.headers);
		return c.json(tenant && { name: tenant.name, hue: Number(tenant.metadata?.hue ?? 0) }, 200);
	})
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

const routes = new Hono().route("/api", api);

export type Routes = typeof routes;

export const app = new Hono()
	.use(secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'self'"], imgSrc: ["'self'", "data:"] } }))
	.route("/", routes)
	.use(serveStatic({ root: "dist" }))
	.get("*", serveStatic({ root: "dist", path: "index.html" }))
	.onError((error, c) => {
		// such as TENANT_NOT_FOUND on a host of nobody
		if (error instanceof APIError) return Response.json(error.body, { status: error.statusCode });
		console.error(error);
		return c.json({ message: "Something went wrong." }, 500);
	});
