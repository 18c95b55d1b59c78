import { codeIn, linkIn } from "test-kit/servers/smtp";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { inviteTo, linkFor, usersOf } from "./invited.ts";
import { PASSWORD, startPages, type Tenant, textOf, titleOf } from "./pages-world.ts";

// a journey hashes many passwords, and a busy machine stands still for seconds
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const ADA = "ada@example.com";

let world: Awaited<ReturnType<typeof startPages>>;
let acme: Tenant;
let globex: Tenant;
beforeAll(async () => {
	world = await startPages({
		TENANT_POLICY: "true",
		REQUIRE_EMAIL_VERIFICATION: "false",
		SOCIAL_GITHUB_CLIENT_ID: "global",
		SOCIAL_GITHUB_CLIENT_SECRET: "secret",
	});
	acme = await world.createTenant("acme");
	globex = await world.createTenant("globex", {}, true);
}, 60_000);
afterAll(() => world.close());

const signUp = async ({ host, base }: Tenant, email: string) => {
	const visitor = world.visitor(host);
	await visitor.submit(await visitor.get(`${base}/sign-up`), { name: "Ada", email, password: PASSWORD });
	return visitor;
};

it("mails a link to its own page, where a new user joins with name and password", async () => {
	for (const tenant of [acme, globex]) {
		const { host, base, slug } = tenant;
		const { url, path, token } = await inviteTo(world, tenant, ADA, "admin");
		expect(`${url.origin}${url.pathname}`).toBe(`https://${slug}.app.example.com/accept-invitation`);
		const visitor = world.visitor(host);
		const page = await visitor.get(path);
		expect([page.status, page.at, titleOf(page)]).toEqual([200, `${base}/accept-invitation`, `Join ${slug}`]);
		expect(textOf(page)).toContain(`Join ${slug} Your role Administrator`);
		expect(page.forms[0]?.fields).toEqual({ email: ADA, name: "", password: "" });
		expect(page.text).not.toContain(token);
		const nameless = await visitor.submit(page, { name: " ", password: PASSWORD });
		expect([nameless.status, nameless.text.includes('id="name-error"')]).toEqual([400, true]);
		const short = await visitor.submit(page, { name: "Ada", password: "short" });
		expect([short.status, textOf(short)]).toEqual([400, expect.stringContaining("Use at least 8 characters.")]);
		expect(short.forms[0]?.fields).toMatchObject({ email: ADA, name: "Ada" });
		const done = await visitor.submit(short, { password: PASSWORD });
		expect([done.status, done.at]).toEqual([200, `${base}/signed-in?notice=joined`]);
		expect(textOf(done)).toContain(`Welcome to ${slug}. Signed in as ${ADA}.`);
		const session = await visitor.session(base);
		expect([session?.session?.tenantId, session?.user?.emailVerified]).toEqual([tenant.id, true]);
		expect(await usersOf(world, tenant)).toEqual([`${ADA} admin`]);
		expect([...visitor.browser.cookies.keys()].filter((name) => name.includes("pages-"))).toEqual([]);
	}
});

it("says who invites, by name and address", async () => {
	const owner = "olivia@example.com";
	const invited = await inviteTo(world, acme, owner, "owner");
	const visitor = world.visitor(acme.host);
	await visitor.submit(await visitor.get(invited.path), { name: "Olivia <b>", password: PASSWORD });
	const headers = {
		"content-type": "application/json",
		origin: `https://${acme.host}`,
		cookie: visitor.browser.header(),
	};
	const body = JSON.stringify({ tenantId: acme.id, email: "mia@example.com" });
	const created = await world.send(acme.host, "/api/auth/tenant/invitation/create", { method: "POST", headers, body });
	expect(created.status).toBe(200);
	const { path } = await linkFor(world, acme, "mia@example.com");
	const page = await world.visitor(acme.host).get(path);
	expect(textOf(page)).toContain(`Invited by Olivia <b> ${owner} Your role Member`);
	expect(page.text).not.toContain("<b>");
});

it("leads a user of the tenant to the sign-in page and back, and raises the role", async () => {
	for (const tenant of [acme, globex]) {
		const { host, base } = tenant;
		const email = `user-${tenant.slug}@example.com`;
		await signUp(tenant, email);
		const { path } = await inviteTo(world, tenant, email, "admin");
		const visitor = world.visitor(host);
		const page = await visitor.get(path);
		// nobody knows the address's password but its user
		const taken = await visitor.submit(page, { name: "Eve", password: "another password" });
		expect([taken.status, await visitor.session(base)]).toEqual([401, null]);
		expect(textOf(taken)).toContain("There is already an account for this address. Sign in to accept the invitation.");
		const [, signIn = ""] = /<a class="button primary" href="([^"]*)"/.exec(taken.text) ?? [];
		const form = await visitor.get(signIn.replaceAll("&amp;", "&"));
		expect(form.forms[0]?.fields.email).toBe(email);
		const back = await visitor.submit(form, { email, password: PASSWORD });
		expect(back.at).toBe(`${base}/accept-invitation?step=joined`);
		const unverified = await visitor.submit(back, {});
		expect([unverified.status, textOf(unverified)]).toEqual([403, expect.stringContaining("not confirmed yet")]);
		const mailed = await visitor.submit(unverified, {});
		expect(mailed.at.split("?")[0]).toBe(`${base}/check-email`);
		const { pathname, search } = new URL(linkIn(await world.smtp.mailTo(email, /Confirm/)));
		const verified = await visitor.get(`${pathname}${search}`);
		expect(verified.text).toContain(`href="${base}/accept-invitation?step=joined"`);
		const again = await visitor.get(`${base}/accept-invitation`);
		expect(textOf(again)).toContain(`Invitation for ${email} Accept the invitation`);
		// a higher role needs the password
		const asked = await visitor.submit(again, {});
		expect([asked.status, textOf(asked)]).toEqual([403, expect.stringContaining("Enter your password to accept")]);
		const wrong = await visitor.submit(asked, { password: "another password" });
		expect([wrong.status, await usersOf(world, tenant)]).toEqual([403, expect.arrayContaining([`${email} member`])]);
		const done = await visitor.submit(wrong, { password: PASSWORD });
		expect(done.at).toBe(`${base}/signed-in?notice=joined`);
		expect(await usersOf(world, tenant)).toContain(`${email} admin`);
	}
});

it("goes to the application afterwards, if the link names it", async () => {
	const { path } = await inviteTo(world, acme, "app@example.com");
	const visitor = world.visitor(acme.host);
	const page = await visitor.get(`${path}&returnTo=https://shop.example.com/start`);
	const done = await visitor.submit(page, { name: "App", password: PASSWORD });
	expect(done.leadsTo).toBe("https://shop.example.com/start");
});

it("lets an invited user join by a provider or a mailed code, also where only invited users sign up", async () => {
	for (const tenant of [acme, globex]) {
		const { host, base, id } = tenant;
		const policy = { signUp: "invitation", methods: ["emailOtp", "social:github"] };
		expect((await world.operate("/tenant/policy/update", { tenantId: id, policy })).status).toBe(200);
		const [member, admin] = [`member-${tenant.slug}@example.com`, `admin-${tenant.slug}@example.com`];
		for (const [email, role] of [[member, "member"] as const, [admin, "admin"] as const]) {
			const { path } = await inviteTo(world, tenant, email, role);
			const visitor = world.visitor(host);
			const page = await visitor.get(path);
			expect(page.forms).toHaveLength(1);
			const leaving = await visitor.submit(page, { provider: "github" });
			const target = new URL(leaving.leadsTo ?? "");
			expect(target.host).toBe("github.com");
			const callback = new URL(target.searchParams.get("redirect_uri") ?? "").pathname;
			const state = target.searchParams.get("state") ?? "";
			const cancelled = await visitor.get(`${callback}?error=access_denied&state=${state}`);
			expect([cancelled.at.split("?")[0], textOf(cancelled)]).toEqual([
				`${base}/accept-invitation`,
				expect.stringContaining("The sign-in was cancelled."),
			]);
			const [, code = ""] = /href="([^"]*\/email-code[^"]*)"/.exec(page.text) ?? [];
			const asked = await visitor.get(code.replaceAll("&amp;", "&"));
			expect(asked.forms[0]?.fields.email).toBe(email);
			const sent = await visitor.submit(asked, {});
			const inside = await visitor.submit(sent, { code: codeIn(await world.smtp.mailTo(email, /Your code/)) });
			// an invitation of a member is used up by the sign-up, one to a higher role waits for its token
			const done = role === "member" ? inside : await visitor.submit(inside, {});
			expect(done.at).toBe(`${base}/signed-in?notice=joined`);
			expect(await usersOf(world, tenant)).toContain(`${email} ${role}`);
		}
		expect(
			(await world.operate("/tenant/policy/update", { tenantId: id, policy: { signUp: null, methods: null } })).status,
		).toBe(200);
	}
});

it("says which password the tenant's policy refuses", async () => {
	expect(
		(await world.operate("/tenant/policy/update", { tenantId: acme.id, policy: { minPasswordLength: 40 } })).status,
	).toBe(200);
	for (const [tenant, status] of [
		[acme, 400],
		[globex, 200],
	] as const) {
		const { path } = await inviteTo(world, tenant, "short@example.com");
		const visitor = world.visitor(tenant.host);
		const tried = await visitor.submit(await visitor.get(path), { name: "Short", password: PASSWORD });
		expect([tried.status, textOf(tried).includes("This password is too short here.")]).toEqual([
			status,
			status === 400,
		]);
	}
});
