import { beforeAll, describe, expect, it } from "vitest";
import type { SentMail } from "./support/auth-server.ts";
import type { Visitor } from "./support/visitor.ts";
import { useWorld } from "./support/world.ts";

const world = useWorld({ hosts: ["acme", "globex"] });
const PASSWORD = "correct horse battery";

beforeAll(async () => {
	for (const name of ["Acme", "Globex"]) await world().newTenant(name);
});

/** The last mail of a kind to an address, and that it leads to the tenant's host. */
const mailTo = async (kind: SentMail["kind"], to: string, slug: string): Promise<string> => {
	const mail = (await world().mails()).findLast((sent) => sent.kind === kind && sent.to === to);
	if (!mail) throw new Error(`no ${kind} mail to ${to}`);
	expect(new URL(mail.url).origin).toBe(world().originOf(slug));
	return mail.url;
};

const signUpAt = async (visitor: Visitor, slug: string, email: string): Promise<void> => {
	await visitor.open();
	const made = await visitor.call("/sign-up/email", { name: "Ada", email, password: PASSWORD, callbackURL: "/home" });
	expect(made.status).toBe(200);
	await visitor.page.goto(await mailTo("verify", email, slug));
};

const cookiesOf = async (visitor: Visitor) => {
	const cookies = await visitor.page.context().cookies();
	return cookies.filter(({ name }) => name.endsWith("session_token")).map(({ domain }) => domain);
};

describe("a user of two tenants with a host each, in one browser", () => {
	it("signs up with the same email in both, verifies it by mail, and is signed in to both", async () => {
		const [acme, globex] = await world().tabsAt("acme", "globex");
		if (!acme || !globex) throw new Error("no tabs");
		const email = "ada@example.com";
		await signUpAt(acme, "acme", email);
		expect(await acme.whereabouts()).toEqual({ email, tenant: "Acme" });
		// the other host does not see the session
		await globex.page.goto(`${world().originOf("globex")}/home`);
		await globex.page.getByText("You are not signed in").waitFor();
		await signUpAt(globex, "globex", email);
		expect(await globex.whereabouts()).toEqual({ email, tenant: "Globex" });
		await acme.page.reload();
		expect(await acme.whereabouts()).toEqual({ email, tenant: "Acme" });
		const users = await world().database.query(`select "tenantId" from "user" where email = $1`, [email]);
		expect(new Set(users.map(({ tenantId }) => tenantId)).size).toBe(2);

		// signing out of one leaves the other
		await acme.signOut();
		await globex.page.reload();
		expect(await globex.whereabouts()).toEqual({ email, tenant: "Globex" });
	});

	// threat 90
	it("sends the cookies of one host never to the other", async () => {
		const [acme, globex] = await world().tabsAt("acme", "globex");
		if (!acme || !globex) throw new Error("no tabs");
		const sent: { host: string; cookie: string }[] = [];
		acme.page.context().on("request", async (request) => {
			const { cookie = "" } = await request.allHeaders();
			sent.push({ host: new URL(request.url()).hostname, cookie });
		});
		await signUpAt(acme, "acme", "grace@example.com");
		await acme.whereabouts();
		expect(await cookiesOf(acme)).toEqual(["acme.localhost"]);
		await globex.open();
		// also a request that a page of Acme sends to Globex
		await acme.page.evaluate(
			(url) => fetch(url, { mode: "no-cors", credentials: "include" }).catch(() => null),
			`${world().originOf("globex")}/api/auth/get-session`,
		);
		await globex.page.reload();
		const toGlobex = sent.filter(({ host }) => host === "globex.localhost");
		expect(toGlobex.length).toBeGreaterThan(1);
		expect(toGlobex.filter(({ cookie }) => cookie.includes("session_token"))).toEqual([]);
		expect(sent.some(({ host, cookie }) => host === "acme.localhost" && cookie.includes("session_token"))).toBe(true);
	});

	it("resets the password of one tenant by mail, and keeps the other", async () => {
		const [acme, globex] = await world().tabsAt("acme", "globex");
		if (!acme || !globex) throw new Error("no tabs");
		const email = "alan@example.com";
		await signUpAt(acme, "acme", email);
		await signUpAt(globex, "globex", email);
		for (const visitor of [acme, globex]) await visitor.signOut();
		await acme.open();
		expect((await acme.call("/request-password-reset", { email, redirectTo: "/failed?error=reset" })).status).toBe(200);
		await acme.page.goto(await mailTo("reset", email, "acme"));
		const page = new URL(acme.page.url());
		expect([page.origin, page.pathname]).toEqual([world().originOf("acme"), "/failed"]);
		const token = page.searchParams.get("token") ?? "";
		await globex.open();
		expect((await globex.call("/reset-password", { token, newPassword: "stolen horse battery" })).status).toBe(400);
		expect((await acme.call("/reset-password", { token, newPassword: "another horse battery" })).status).toBe(200);

		const fields = { "E-mail": email, Password: PASSWORD };
		await acme.open();
		await acme.withPassword("Sign in", fields);
		expect(await acme.error()).toBe("INVALID_EMAIL_OR_PASSWORD");
		await acme.open();
		await acme.withPassword("Sign in", { ...fields, Password: "another horse battery" });
		expect(await acme.whereabouts()).toEqual({ email, tenant: "Acme" });
		await globex.open();
		await globex.withPassword("Sign in", fields);
		expect(await globex.whereabouts()).toEqual({ email, tenant: "Globex" });
	});

	it("signs in by magic link at the host that asked for it", async () => {
		const [acme, globex] = await world().tabsAt("acme", "globex");
		if (!acme || !globex) throw new Error("no tabs");
		const email = "mary@example.com";
		await globex.open();
		await globex.call("/sign-in/magic-link", { email, callbackURL: "/home" });
		await globex.page.goto(await mailTo("magic", email, "globex"));
		expect(await globex.whereabouts()).toEqual({ email, tenant: "Globex" });
		expect(await cookiesOf(globex)).toEqual(["globex.localhost"]);
		await acme.page.goto(`${world().originOf("acme")}/home`);
		await acme.page.getByText("You are not signed in").waitFor();
	});

	it("signs in with a provider at both hosts, and ends where it started", async () => {
		const [acme, globex] = await world().tabsAt("acme", "globex");
		if (!acme || !globex) throw new Error("no tabs");
		const kay = { sub: "kay-1", email: "kay@example.com", name: "Kay" };
		const { tokens } = await world().watch(async () => {
			await acme.signInWith("gitlab", kay);
			expect(await acme.whereabouts()).toEqual({ email: kay.email, tenant: "Acme" });
			await globex.open();
			await globex.choose("gitlab");
			expect(await globex.whereabouts()).toEqual({ email: kay.email, tenant: "Globex" });
		});
		expect(tokens.map(({ redirectURI }) => redirectURI)).toEqual(
			["acme", "globex"].map((slug) => `${world().originOf(slug)}/api/auth/tenant/callback/gitlab`),
		);
		expect((await cookiesOf(acme)).sort()).toEqual(["acme.localhost", "globex.localhost"]);
	});

	// threat 12
	it("cannot finish a sign-in at another host than where it started", async () => {
		const [acme, globex] = await world().tabsAt("acme", "globex");
		if (!acme || !globex) throw new Error("no tabs");
		const lin = { sub: "lin-1", email: "lin@example.com", name: "Lin" };
		await acme.open();
		await acme.choose("gitlab");
		await acme.identify(lin);
		const callback = acme.page.waitForRequest(/\/tenant\/callback\/gitlab/);
		await acme.allow();
		// somebody sends the provider's response to the other host
		const stolen = (await callback).url().replace("acme.localhost", "globex.localhost");
		expect(await acme.whereabouts()).toEqual({ email: lin.email, tenant: "Acme" });
		const { tokens } = await world().watch(async () => {
			await globex.page.goto(stolen);
			expect(await globex.error()).toBe("TENANT_HOST_MISMATCH");
		});
		expect(tokens).toEqual([]);
		expect(await cookiesOf(globex)).toEqual(["acme.localhost"]);
	});

	// threat 88
	it("is told so at a host of nobody, and can not sign up on the platform", async () => {
		const [unknown] = await world().tabsAt("unknown");
		if (!unknown) throw new Error("no tab");
		await unknown.page.goto(`${world().originOf("unknown")}/failed`);
		const person = { name: "Ada", email: "ada@example.com", password: PASSWORD };
		expect(await unknown.call("/sign-up/email", person)).toMatchObject({
			status: 404,
			json: { code: "TENANT_NOT_FOUND" },
		});
		const platform = await world().visitor();
		await platform.open();
		expect(await platform.call("/sign-up/email", person)).toMatchObject({
			status: 403,
			json: { code: "PLATFORM_SIGN_UP_CLOSED" },
		});
		expect(await world().database.query(`select id from "user" where "tenantId" = 'platform'`)).toEqual([]);
	});
});
