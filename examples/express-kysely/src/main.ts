import { APIError } from "better-auth/api";
import { fromNodeHeaders, toNodeHandler } from "better-auth/node";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import { addressOf, auth, tenantOf } from "./auth.ts";
import { callAuth, goOn, handler } from "./call-auth.ts";
import { listUsers } from "./database.ts";
import { platform } from "./options.ts";
import { credentialsPage, homePage, notFoundPage, overviewPage } from "./pages.ts";

const app = express().disable("x-powered-by");

// before anything that reads the body
app.all("/api/auth/{*path}", toNodeHandler(handler));
app.use(express.static("public"));
app.use(express.urlencoded({ extended: false, limit: "10kb" }));

app.get("/", async (request, response) => {
	const headers = fromNodeHeaders(request.headers);
	const tenant = await tenantOf(headers);
	if (tenant) {
		// null for a session of another tenant than the host's
		const session = await auth.api.getSession({ headers });
		if (!session) return response.redirect("/sign-in");
		const users = await listUsers(session.session.tenantId);
		return response.send(homePage(tenant, headers.get("host") ?? "", session.user, users));
	}
	const tenants = (await auth.api.listTenants()).sort((one, other) => one.name.localeCompare(other.name));
	const shown = tenants.map(async (one) => ({
		name: one.name,
		hue: Number(one.metadata?.hue ?? 0),
		url: addressOf(one.slug),
		users: process.env.DEMO_OVERVIEW === "true" ? await listUsers(one.id) : [],
	}));
	response.send(overviewPage(await Promise.all(shown)));
});

for (const [path, action] of [
	["/sign-in", "Sign in"],
	["/sign-up", "Sign up"],
] as const) {
	app.get(path, async (request, response, next) => {
		const tenant = await tenantOf(fromNodeHeaders(request.headers));
		if (!tenant) return next();
		response.send(credentialsPage(tenant, request.headers.host ?? "", action));
	});
	app.post(path, async (request, response, next) => {
		const tenant = await tenantOf(fromNodeHeaders(request.headers));
		if (!tenant) return next();
		const form = request.body as Record<string, unknown>;
		const [name = "", email = "", password = ""] = ["name", "email", "password"].map((field) =>
			String(form[field] ?? ""),
		);
		const answer = await callAuth(request, `${path}/email`, { name, email, password });
		if (answer.ok) return goOn(response, answer, "/");
		const { message: error = "Something went wrong." } = (await answer.json().catch(() => ({}))) as {
			message?: string;
		};
		response.status(400).send(credentialsPage(tenant, request.headers.host ?? "", action, { name, email, error }));
	});
}

app.post("/sign-out", async (request, response) =>
	goOn(response, await callAuth(request, "/sign-out", {}), "/sign-in"),
);

const showNotFound: RequestHandler = (_request, response) => void response.status(404).send(notFoundPage());
app.use(showNotFound);

const showError: ErrorRequestHandler = (error: unknown, request, response, next) => {
	// a host of nobody
	if (error instanceof APIError && error.statusCode === 404) return showNotFound(request, response, next);
	console.error(error);
	response.status(500).send("Something went wrong.");
};
app.use(showError);

const port = Number(platform.port || 3000);
app.listen(port, () => console.log(`Open http://localhost:${port}`));
