import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono } from "hono";
import { csrf } from "hono/csrf";
import { secureHeaders } from "hono/secure-headers";
import { readOrganizations } from "./organizations.ts";
import { homePage } from "./pages.ts";
import { readSession, saveSession } from "./sessions.ts";
import { appUrl, callbackUrl } from "./settings.ts";
import { completeSignIn, signOutUrl, startSignIn } from "./sign-in.ts";

const organizations = new Map(readOrganizations().map((organization) => [organization.slug, organization]));

const showHome = (c: Context, wrong?: { error: string; slug?: string }) => {
	const users = [...readSession(c).users].flatMap(([slug, user]) => {
		const organization = organizations.get(slug);
		return organization ? [{ organization, user }] : [];
	});
	c.header("cache-control", "no-store");
	return c.html(homePage(users, wrong), wrong ? 400 : 200);
};

export const app = new Hono()
	// no form-action: forms lead to the tenants' hosts
	.use(
		secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'self'"], imgSrc: ["data:"], frameAncestors: ["'none'"] } }),
	)
	.use(csrf({ origin: appUrl.origin }))
	.use("/styles.css", serveStatic({ root: "public" }))
	.get("/", (c) => showHome(c))
	.post("/sign-in", async (c) => {
		const slug = String((await c.req.parseBody()).organization ?? "").trim();
		const organization = organizations.get(slug);
		if (!organization) return showHome(c, { error: "There is no such organization. Check the spelling.", slug });
		const { url, pending } = await startSignIn(organization);
		const session = readSession(c);
		session.pending.set(pending.state, pending);
		saveSession(c, session);
		return c.redirect(url.href, 303);
	})
	.get("/callback", async (c) => {
		const session = readSession(c);
		// the sign-in that this browser started says which tenant has to respond, and each response is used once
		const pending = session.pending.get(c.req.query("state") ?? "");
		const organization = organizations.get(pending?.slug ?? "");
		if (!pending || !organization) return showHome(c, { error: "This sign-in has expired. Start again." });
		session.pending.delete(pending.state);
		const response = new URL(callbackUrl);
		response.search = new URL(c.req.url).search;
		try {
			session.users.set(organization.slug, await completeSignIn(organization, response, pending));
		} catch (error) {
			console.error(error);
			return showHome(c, { error: `${organization.name} did not sign you in. Start again.`, slug: organization.slug });
		}
		saveSession(c, session);
		return c.redirect("/", 303);
	})
	.post("/sign-out", async (c) => {
		const organization = organizations.get(String((await c.req.parseBody()).organization ?? ""));
		const session = readSession(c);
		const user = organization && session.users.get(organization.slug);
		if (!user) return c.redirect("/", 303);
		session.users.delete(organization.slug);
		saveSession(c, session);
		return c.redirect((await signOutUrl(organization, user)).href, 303);
	});
