import { APIError } from "better-auth/api";
import { type Context, Hono } from "hono";
import { authOf } from "./auth.ts";
import type { Env } from "./options.ts";
import { Credentials, Home, NotFound, Overview } from "./pages.tsx";

type Page = Context<{ Bindings: Env }>;

const hostOf = (c: Page): string => c.req.header("host") ?? "";

/** Calls Better Auth as a script of the page would: with its origin and cookies, so origin checks and rate limits apply. */
const callAuth = (c: Page, path: string, body: object): Promise<Response> => {
	const headers = new Headers(c.req.raw.headers);
	headers.set("content-type", "application/json");
	headers.delete("content-length");
	const url = new URL(`/api/auth${path}`, c.req.url);
	return authOf(c.env).handler(new Request(url, { method: "POST", headers, body: JSON.stringify(body) }));
};

/** Goes on to another page, with the cookies of Better Auth's response. */
const goOn = (answer: Response, location: string): Response => {
	const headers = new Headers({ location });
	for (const cookie of answer.headers.getSetCookie()) headers.append("set-cookie", cookie);
	return new Response(null, { status: 303, headers });
};

const app = new Hono<{ Bindings: Env }>()
	.on(["GET", "POST"], "/api/auth/*", (c) => authOf(c.env).handler(c.req.raw))
	.get("/", async (c) => {
		const { headers } = c.req.raw;
		const { api, addressOf, listUsers, tenantOf } = authOf(c.env);
		const tenant = await tenantOf(headers);
		if (tenant) {
			// null for a session of another tenant than the host's
			const session = await api.getSession({ headers });
			if (!session) return c.redirect("/sign-in");
			const users = await listUsers(session.session.tenantId);
			return c.html(<Home tenant={tenant} host={hostOf(c)} user={session.user} users={users} />);
		}
		const all = (await api.listTenants()).sort((one, other) => one.name.localeCompare(other.name));
		const tenants = all.map(async (one) => ({
			name: one.name,
			hue: one.metadata?.hue,
			url: addressOf(one.slug),
			users: c.env.DEMO_OVERVIEW === "true" ? await listUsers(one.id) : [],
		}));
		return c.html(<Overview tenants={await Promise.all(tenants)} />);
	})
	.post("/sign-out", async (c) => goOn(await callAuth(c, "/sign-out", {}), "/sign-in"));

for (const [path, action] of [
	["/sign-in", "Sign in"],
	["/sign-up", "Sign up"],
] as const) {
	app.get(path, async (c) => {
		const tenant = await authOf(c.env).tenantOf(c.req.raw.headers);
		return tenant ? c.html(<Credentials tenant={tenant} host={hostOf(c)} action={action} />) : c.notFound();
	});
	app.post(path, async (c) => {
		const tenant = await authOf(c.env).tenantOf(c.req.raw.headers);
		if (!tenant) return c.notFound();
		const form = await c.req.formData();
		const [name = "", email = "", password = ""] = ["name", "email", "password"].map((field) =>
			String(form.get(field)),
		);
		const answer = await callAuth(c, `${path}/email`, { name, email, password });
		if (answer.ok) return goOn(answer, "/");
		const { message = "Something went wrong." } = (await answer.json().catch(() => ({}))) as { message?: string };
		const given = { name, email, error: message };
		return c.html(<Credentials tenant={tenant} host={hostOf(c)} action={action} given={given} />, 400);
	});
}

app.notFound((c) => c.html(<NotFound />, 404));

app.onError((error, c) => {
	// a host of nobody
	if (error instanceof APIError && error.statusCode === 404) return c.html(<NotFound />, 404);
	console.error(error);
	return c.text("Something went wrong.", 500);
});

export default app;
