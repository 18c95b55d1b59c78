import { linkIn } from "test-kit/servers/smtp";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { inviteTo, query } from "./invited.ts";
import { PASSWORD, startPages, type Tenant, textOf } from "./pages-world.ts";

// a journey hashes many passwords, and a busy machine stands still for seconds
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const CLIENT = "https://client.example.com";
const NEW_PASSWORD = "another horse battery";

let world: Awaited<ReturnType<typeof startPages>>;
let acme: Tenant;
let globex: Tenant;
let umbrella: Tenant;
let initech: Tenant;
beforeAll(async () => {
	world = await startPages({ REQUIRE_EMAIL_VERIFICATION: "false" });
	acme = await world.createTenant("acme");
	globex = await world.createTenant("globex");
	umbrella = await world.createTenant("umbrella");
	initech = await world.createTenant("initech", {}, true);
	for (const tenant of [acme, globex, umbrella, initech])
		for (const name of ["ada", "eve"]) {
			const visitor = world.visitor(tenant.host);
			const page = await visitor.get(`${tenant.base}/sign-up`);
			await visitor.submit(page, { name, email: emailOf(tenant, name), password: PASSWORD });
		}
});
afterAll(() => world.close());

const emailOf = ({ slug }: Tenant, name: string): string => `${name}-${slug}@example.com`;

const signIn = async ({ host, base }: Tenant, email: string, password: string): Promise<string> => {
	const visitor = world.visitor(host);
	return (await visitor.submit(await visitor.get(`${base}/sign-in`), { email, password })).at;
};

/** Where the link of a reset mail leads. */
const resetLink = async ({ host, base }: Tenant, email: string): Promise<string> => {
	const visitor = world.visitor(host);
	await visitor.submit(await visitor.get(`${base}/forgot-password`), { email });
	const { pathname, search } = new URL(linkIn(await world.smtp.mailTo(email, /password/i)));
	return `${pathname}${search}`;
};

// threat 140
it("reads no cookie whose name only looks like the prefixed one", async () => {
	for (const tenant of [acme, globex]) {
		const own = await inviteTo(world, tenant, `own-${tenant.slug}@example.com`);
		const other = await inviteTo(world, tenant, `tossed-${tenant.slug}@example.com`);
		const cookie = (token: string) => `__Host-pages-invitation=${Buffer.from(token).toString("base64url")}`;
		// a server on a sibling subdomain sets it for the whole domain: to browsers, a no-break space is part of the name
		const sent = `first=1; \u00a0${cookie(other.token)}; ${cookie(own.token)}`;
		const shown = await world.send(tenant.host, "/accept-invitation", { headers: { cookie: sent } });
		const text = await shown.text();
		expect(text).toContain(`own-${tenant.slug}@example.com`);
		expect(text).not.toContain(`tossed-${tenant.slug}@example.com`);
	}
});

// threat 141
it("changes no password by a form that was shown for another link", async () => {
	for (const tenant of [acme, initech]) {
		const { host, base } = tenant;
		const [ada, eve] = [emailOf(tenant, "ada"), emailOf(tenant, "eve")];
		const [own, others] = [await resetLink(tenant, ada), await resetLink(tenant, eve)];
		const visitor = world.visitor(host);
		const page = await visitor.get(own);
		// a link that somebody else made the browser open
		await visitor.get(others);
		const swapped = await visitor.submit(page, { password: NEW_PASSWORD });
		expect([swapped.status, textOf(swapped)]).toEqual([409, expect.not.stringContaining("is changed")]);
		expect(await signIn(tenant, eve, NEW_PASSWORD)).toBe(`${base}/sign-in`);
		// nor by a form without the link
		await visitor.get(others);
		expect((await visitor.post(`${base}/reset-password`, { password: NEW_PASSWORD })).status).toBe(409);
		expect(await signIn(tenant, eve, PASSWORD)).toBe(`${base}/signed-in`);
		// both links still work
		const done = await visitor.submit(await visitor.get(own), { password: NEW_PASSWORD });
		expect(done.at).toBe(`${base}/sign-in?notice=password-changed`);
		expect(await signIn(tenant, ada, NEW_PASSWORD)).toBe(`${base}/signed-in`);
	}
});

/** The consent page of a client, as the first of two users sees it. */
const openConsent = async (tenant: Tenant) => {
	const client = {
		redirect_uris: [`${CLIENT}/callback`],
		client_name: "Shop",
		token_endpoint_auth_method: "client_secret_post",
		grant_types: ["authorization_code"],
		scope: "openid email",
	};
	const { client_id } = await world.operate("/tenant/oauth-client/create", { tenantId: tenant.id, client });
	const asked = new URLSearchParams({
		client_id: String(client_id),
		redirect_uri: `${CLIENT}/callback`,
		response_type: "code",
		scope: "openid email",
		state: "a state",
		code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
		code_challenge_method: "S256",
	});
	const visitor = world.visitor(tenant.host);
	// Node's fetch says that it is one, so Better Auth returns the URL instead of a redirect
	const { text } = await visitor.get(`/api/auth/oauth2/authorize?${asked}`);
	const { pathname, search } = new URL((JSON.parse(text) as { url: string }).url, `https://${tenant.host}`);
	const signInPage = await visitor.get(`${pathname}${search}`);
	const signedIn = await visitor.submit(signInPage, { email: emailOf(tenant, "ada"), password: PASSWORD });
	const page = signedIn.leadsTo === null ? signedIn : await visitor.get(signedIn.leadsTo);
	return { visitor, page, clientId: String(client_id) };
};

const consentsOf = async ({ id }: Tenant): Promise<unknown[]> => {
	const rows = await query(
		world,
		'select "user".email from "oauthConsent" join "user" on "user".id = "userId" where "user"."tenantId" = $1',
		[id],
	);
	return rows.map(({ email }) => email);
};

// threat 142
it("allows a client nothing in the account of a user who signed in after the page was shown", async () => {
	for (const tenant of [globex, umbrella]) {
		const [ada, eve] = [emailOf(tenant, "ada"), emailOf(tenant, "eve")];
		const { visitor, page } = await openConsent(tenant);
		expect(textOf(page)).toContain(ada);
		await visitor.post("/sign-out", {});
		await visitor.submit(await visitor.get("/sign-in"), { email: eve, password: PASSWORD });
		const asked = await visitor.submit(page, { accept: "yes" });
		expect([asked.status, asked.leadsTo, textOf(asked)]).toEqual([409, null, expect.stringContaining(eve)]);
		expect(await consentsOf(tenant)).toEqual([]);
		// the page that is about the new user works
		const allowed = await visitor.submit(asked, { accept: "yes" });
		expect(new URL(allowed.leadsTo ?? "").searchParams.get("code")).toEqual(expect.any(String));
		expect(await consentsOf(tenant)).toEqual([eve]);
		await visitor.post("/sign-out", {});
		const out = await visitor.submit(page, { accept: "yes" });
		expect([out.leadsTo, out.at.split("?")[0]]).toEqual([null, "/sign-in"]);
	}
});

// threat 142
it("shows of a client's request only what is signed", async () => {
	const { visitor, page, clientId } = await openConsent(globex);
	const own = page.forms[0]?.action ?? "";
	const forged = new URLSearchParams({
		client_id: clientId,
		redirect_uri: "https://bank.example/",
		scope: "openid call-0800-1234",
		sig: "made-up",
	});
	const changed = own.replace("scope=openid", "scope=call-0800-1234");
	expect(changed).not.toBe(own);
	for (const path of [`/consent?${forged}`, changed]) {
		const shown = await visitor.get(path);
		expect([shown.status, shown.forms]).toEqual([400, []]);
		expect(textOf(shown)).not.toMatch(/call-0800|bank\.example/);
	}
	expect((await visitor.get(own)).status).toBe(200);
	// what was signed for one tenant is not signed for another
	const neighbor = world.visitor(umbrella.host);
	const signInPage = await neighbor.get("/sign-in");
	await neighbor.submit(signInPage, { email: emailOf(umbrella, "ada"), password: PASSWORD });
	const there = await neighbor.get(own);
	expect([there.status, there.forms]).toEqual([400, []]);
});
