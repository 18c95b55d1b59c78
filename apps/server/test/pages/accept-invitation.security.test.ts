import { EVIL_HOST } from "test-kit/redirect-payloads";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { inviteTo, query, usersOf } from "./invited.ts";
import { PASSWORD, type Shown, startPages, type Tenant, textOf, type Visitor } from "./pages-world.ts";

// a journey hashes many passwords, and a busy machine stands still for seconds
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const COOKIE = "__Host-pages-invitation";
const FIELDS = { name: "Eve", password: PASSWORD };

let world: Awaited<ReturnType<typeof startPages>>;
let acme: Tenant;
let globex: Tenant;
let initech: Tenant;
let umbrella: Tenant;
beforeAll(async () => {
	world = await startPages({ TENANT_POLICY: "true", REQUIRE_EMAIL_VERIFICATION: "false" });
	acme = await world.createTenant("acme");
	globex = await world.createTenant("globex");
	initech = await world.createTenant("initech", {}, true);
	umbrella = await world.createTenant("umbrella", {}, true);
}, 60_000);
afterAll(() => world.close());

const keepToken = (visitor: Visitor, token: string) =>
	visitor.browser.cookies.set(COOKIE, Buffer.from(token).toString("base64url"));
/** What a visitor sees. Only requests with an origin get the headers of CORS. */
const seen = ({ status, text, headers }: Shown): string =>
	JSON.stringify([
		status,
		text,
		[...headers.keys()].filter((name) => !/^access-control-|^(date|content-length|x-request-id)$/.test(name)),
	]);

// threat 122
it("shows another tenant's, a used, a revoked, an expired and a made-up token alike, and creates nobody", async () => {
	for (const [own, other] of [
		[acme, globex],
		[initech, umbrella],
	] as const) {
		const email = `alike-${own.slug}@example.com`;
		const foreign = await inviteTo(world, other, email, "owner");
		const used = await inviteTo(world, own, email);
		const first = world.visitor(own.host);
		await first.submit(await first.get(used.path), { name: "Ada", password: PASSWORD });
		const revoked = await inviteTo(world, own, `revoked-${own.slug}@example.com`);
		await world.operate("/tenant/invitation/revoke", { tenantId: own.id, id: revoked.id });
		const expired = await inviteTo(world, own, `expired-${own.slug}@example.com`);
		await query(world, `update "tenantInvitation" set "expiresAt" = now() - interval '1 second' where id = $1`, [
			expired.id,
		]);
		const users = [await usersOf(world, own), await usersOf(world, other)];
		const pages = new Set<string>();
		for (const token of [foreign.token, used.token, revoked.token, expired.token, "made-up", "", "x".repeat(5000)]) {
			const visitor = world.visitor(own.host);
			const shown = await visitor.get(`${own.base}/accept-invitation?token=${encodeURIComponent(token)}`);
			expect([shown.status, shown.forms]).toEqual([404, []]);
			pages.add(seen(shown));
			// nor by a form that somebody keeps
			keepToken(visitor, token);
			const sent = await visitor.post(`${own.base}/accept-invitation`, { email, ...FIELDS });
			pages.add(seen(sent));
			expect(await visitor.session(own.base)).toBeNull();
		}
		expect([...pages]).toHaveLength(1);
		expect([await usersOf(world, own), await usersOf(world, other)]).toEqual(users);
		// the neighbor's invitation is still open on the neighbor's page
		const there = world.visitor(other.host);
		expect(textOf(await there.get(foreign.path))).toContain("Your role Owner");
	}
});

// threat 122
it("accepts for nobody but the user with the invited address", async () => {
	for (const [tenant, neighbor] of [
		[acme, globex],
		[initech, umbrella],
	] as const) {
		const invited = `invited-${tenant.slug}@example.com`;
		const signedUp = async ({ host, base }: Tenant, email: string) => {
			const visitor = world.visitor(host);
			await visitor.submit(await visitor.get(`${base}/sign-up`), { ...FIELDS, email });
			await query(world, 'update "user" set "emailVerified" = true where email = $1', [email]);
			return visitor;
		};
		const { path, token } = await inviteTo(world, tenant, invited, "owner");
		const eve = await signedUp(tenant, `eve-${tenant.slug}@example.com`);
		const page = await eve.get(path);
		expect(textOf(page)).toContain(`You are signed in with another address: eve-${tenant.slug}@example.com.`);
		expect(page.forms.map(({ fields }) => fields)).toEqual([{ do: "sign-out" }]);
		const forced = await eve.post(`${tenant.base}/accept-invitation`, { email: invited });
		expect(forced.status).toBe(403);
		// the session of a neighbor with the invited address is none here
		const neighbors = await signedUp(neighbor, invited);
		const here = world.visitor(tenant.host);
		for (const [name, value] of neighbors.browser.cookies) here.browser.cookies.set(name, value);
		keepToken(here, token);
		expect((await here.get(`${tenant.base}/accept-invitation`)).forms[0]?.fields).toHaveProperty("password");
		expect((await here.post(`${tenant.base}/accept-invitation`, { email: invited })).status).toBe(401);
		expect(await usersOf(world, tenant)).toContain(`eve-${tenant.slug}@example.com member`);
		expect((await usersOf(world, tenant)).filter((user) => user.endsWith("owner"))).toEqual([]);
		expect(await usersOf(world, neighbor)).toContain(`${invited} member`);
		// signing out leads back to the invitation, which is still open
		const out = await eve.submit(page, {});
		expect([out.at, out.forms[0]?.fields.email]).toEqual([`${tenant.base}/accept-invitation`, invited]);
		expect(await eve.session(tenant.base)).toBeNull();
		await eve.submit(out, { name: "Invited", password: PASSWORD });
		expect(await usersOf(world, tenant)).toContain(`${invited} owner`);
	}
});

// threat 123
it("keeps the token out of pages, URLs, other sites and the log", async () => {
	for (const tenant of [globex, umbrella]) {
		const { host, base, slug } = tenant;
		const email = `token-${slug}@example.com`;
		const { path, token } = await inviteTo(world, tenant, email);
		const opened = await world.send(host, path);
		expect([opened.status, opened.headers.get("location")]).toEqual([303, `${base}/accept-invitation`]);
		expect([opened.headers.get("referrer-policy"), opened.headers.get("cache-control")]).toEqual([
			"same-origin",
			"no-store",
		]);
		const [cookie = "", ...others] = opened.headers.getSetCookie();
		expect([cookie.split("; ").slice(1), others]).toEqual([
			["Max-Age=1800", "Path=/", "HttpOnly", "SameSite=Lax", "Secure"],
			[],
		]);
		expect(cookie.startsWith(`${COOKIE}=`)).toBe(true);
		const visitor = world.visitor(host);
		const page = await visitor.get(path);
		const wrong = await visitor.submit(page, { name: "Ada", password: "short" });
		const again = await visitor.get(`${base}/accept-invitation?error=access_denied&step=joined`);
		const done = await visitor.submit(page, { name: "Ada", password: PASSWORD });
		const forms = [Buffer.from(token).toString("base64url"), token, encodeURIComponent(token)];
		for (const shown of [page, wrong, again, done])
			for (const form of forms) expect([shown.text, shown.at, shown.leadsTo ?? ""].join("\n")).not.toContain(form);
		const log = world.world.log.text();
		for (const form of forms) expect(log).not.toContain(form);
	}
});

// threat 123
it("does nothing for a form of another site, or for one that was shown for another invitation", async () => {
	for (const tenant of [globex, umbrella]) {
		const { host, base, slug } = tenant;
		const [email, other] = [`form-${slug}@example.com`, `other-${slug}@example.com`];
		const { path } = await inviteTo(world, tenant, email);
		const { path: otherPath } = await inviteTo(world, tenant, other);
		const visitor = world.visitor(host);
		const page = await visitor.get(path);
		const users = await usersOf(world, tenant);
		for (const headers of [
			{ origin: `https://${EVIL_HOST}`, "sec-fetch-site": "cross-site" },
			{ origin: `https://${acme.host}`, "sec-fetch-site": "same-site" },
			{ origin: "null", "sec-fetch-site": "cross-site" },
		]) {
			const sent = await visitor.post(`${base}/accept-invitation`, { email, ...FIELDS }, headers);
			expect([sent.status, sent.headers.getSetCookie()]).toEqual([403, []]);
		}
		// a link that somebody else made the browser open
		await visitor.get(otherPath);
		const swapped = await visitor.submit(page, FIELDS);
		expect([swapped.status, swapped.forms[0]?.fields.email]).toEqual([409, other]);
		expect([await usersOf(world, tenant), await visitor.session(base)]).toEqual([users, null]);
		await visitor.get(path);
		expect((await visitor.submit(page, FIELDS)).at).toBe(`${base}/signed-in?notice=joined`);
	}
});

// threat 122
it("lets in nobody but the invited where a policy requires an invitation", async () => {
	for (const [tenant, neighbor] of [
		[acme, globex],
		[umbrella, initech],
	] as const) {
		const { host, base, id, slug } = tenant;
		expect(
			(await world.operate("/tenant/policy/update", { tenantId: id, policy: { signUp: "invitation" } })).status,
		).toBe(200);
		const email = `policy-${slug}@example.com`;
		const { path } = await inviteTo(world, tenant, email);
		const foreign = await inviteTo(world, neighbor, `policy-${neighbor.slug}@example.com`);
		const stranger = world.visitor(host);
		const users = await usersOf(world, tenant);
		expect((await stranger.get(`${base}/sign-up`)).forms).toEqual([]);
		for (const tried of [email, "stranger@example.com", `policy-${neighbor.slug}@example.com`])
			await stranger.post(`${base}/sign-up`, { ...FIELDS, email: tried });
		keepToken(stranger, foreign.token);
		expect((await stranger.post(`${base}/accept-invitation`, { ...FIELDS, email })).status).toBe(404);
		// `joined` in the URL says nothing
		expect((await stranger.get(`${base}/accept-invitation?step=joined`)).status).toBe(404);
		expect([await usersOf(world, tenant), await stranger.session(base)]).toEqual([users, null]);
		const visitor = world.visitor(host);
		const done = await visitor.submit(await visitor.get(path), FIELDS);
		expect(done.at).toBe(`${base}/signed-in?notice=joined`);
		expect(await usersOf(world, tenant)).toContain(`${email} member`);
	}
});
