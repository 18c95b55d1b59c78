import { rm, writeFile } from "node:fs/promises";
import { linkIn } from "test-kit/servers/smtp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runInRequest } from "../../src/lib/request-context.ts";
import { HTTPS, makeHostWorld } from "./host-world.ts";
import { cookieHeader, PASSWORD } from "./world.ts";

let service: Awaited<ReturnType<typeof makeHostWorld>>;
let smtp: typeof service.smtp;
let provider: typeof service.provider;
let file: string;
let world: typeof service.world;
beforeAll(async () => {
	service = await makeHostWorld(
		{ TENANT_RESOLVER: "custom-domain,subdomain,path", TENANT_CACHE_MAX_AGE: "0.2" },
		({ globex }) => ({ "login.globex.com": globex.id }),
	);
	({ smtp, provider, file, world } = service);
}, 60_000);
afterAll(() => service.close());

const ACME_HOST = "acme.app.example.com";
const signUp = (host: string, email: string, headers: Record<string, string> = {}) =>
	world.call("/tenant/sign-up/email", { host, headers, body: { name: "Ada", email, password: PASSWORD } });
const tenantsOf = async (email: string): Promise<string[]> =>
	(await world.pool.query(`select "tenantId" from "user" where email = $1`, [email])).rows.map((row) => row.tenantId);

it.each([
	["subdomain", ACME_HOST, () => world.acme.id],
	["custom domain", "login.globex.com", () => world.globex.id],
])(
	"signs users up and in on a tenant's own %s, and mails links that lead back there",
	async (_kind, host, tenantId) => {
		const email = `ada@${host}`;
		const signedUp = await signUp(host, email, { origin: `https://${host}` });
		expect(signedUp.status).toBe(200);
		expect(await tenantsOf(email)).toEqual([tenantId()]);
		const link = new URL(linkIn(await smtp.mailTo(email)));
		expect(link.origin).toBe(`https://${host}`);
		const inBrowser = { cookie: cookieHeader(signedUp.cookies) };
		const proven = await world.call(`${link.pathname}${link.search}`, { host, headers: inBrowser });
		expect(proven.status).toBe(302);
		// the cookie belongs to the host
		for (const cookie of proven.cookies) expect(cookie).not.toMatch(/domain=/i);

		const headers = { origin: `https://${host}`, cookie: "consent=yes" };
		const body = { email, password: PASSWORD };
		const signedIn = await world.call("/tenant/sign-in/email", { host, headers, body });
		expect(signedIn.status).toBe(200);
		const session = await world.call("/get-session", { host, headers: { cookie: cookieHeader(signedIn.cookies) } });
		expect(session.json.session).toMatchObject({ tenantId: tenantId() });
	},
);

it("returns a social sign-in to the host it started on, through that host's callback URL", async () => {
	for (const { host, tenantId } of [
		{ host: ACME_HOST, tenantId: world.acme.id },
		{ host: "login.globex.com", tenantId: world.globex.id },
	]) {
		const body = { provider: "gitlab", callbackURL: "/home" };
		const begun = await world.call("/tenant/sign-in/social", { host, headers: { origin: `https://${host}` }, body });
		const { searchParams } = new URL(String(begun.json.url));
		const callback = new URL(searchParams.get("redirect_uri") ?? "");
		expect(callback.href).toBe(`https://${host}/api/auth/tenant/callback/gitlab`);
		callback.search = String(new URLSearchParams({ code: "code", state: searchParams.get("state") ?? "" }));
		const ended = await world.call(`${callback.pathname}${callback.search}`, {
			host,
			headers: { cookie: cookieHeader(begun.cookies) },
		});
		expect(ended.headers.get("location")).toMatch(/\/home$/);
		expect(provider.redirectURIs.at(-1)).toBe(`https://${host}/api/auth/tenant/callback/gitlab`);
		const session = await world.call("/get-session", { host, headers: { cookie: cookieHeader(ended.cookies) } });
		expect(session.json.session).toMatchObject({ tenantId });
	}
});

it("trusts a tenant's host in its own requests only, so no reset link leads to another tenant's host", async () => {
	const reset = (host: string, redirectTo: string, headers = {}) =>
		world.call("/request-password-reset", { host, headers, body: { email: "x@example.com", redirectTo } });
	expect((await reset(ACME_HOST, `https://${ACME_HOST}/new-password`)).status).toBe(200);
	for (const elsewhere of ["auth.example.com", "login.globex.com", "globex.app.example.com", "evil.example"])
		expect((await reset(ACME_HOST, `https://${elsewhere}/`)).json.code).toBe("INVALID_REDIRECT_URL");
	// nor may a page of one tenant act in another with its users' cookies
	const headers = { cookie: "a=b", origin: "https://login.globex.com" };
	expect((await reset(ACME_HOST, "/", headers)).json.code).toBe("INVALID_ORIGIN");
	expect((await reset("auth.example.com", "/", headers)).json.code).toBe("INVALID_ORIGIN");
});

it("refuses a host that belongs to nobody, whatever tenant the request names, and creates nobody", async () => {
	for (const host of ["evil.example", "acme.app.example.com.evil.example", "login.acme.test", "127.0.0.1"]) {
		const email = `ada@made-up.${host}`;
		for (const path of ["/tenant/sign-up/email", "/sign-up/email"])
			for (const tenant of [{ tenant: world.acme.id }, {}]) {
				const headers = { "x-forwarded-host": ACME_HOST };
				const body = { name: "Ada", email, password: PASSWORD };
				const { status, json } = await world.call(path, { host, headers, ...tenant, body });
				expect([status, json.code]).toEqual([404, "TENANT_NOT_FOUND"]);
			}
		expect(await tenantsOf(email)).toEqual([]);
	}
	expect(smtp.mails.filter(({ raw }) => raw.includes("made-up"))).toEqual([]);
	// a foreign port is not used in links
	await signUp(`${ACME_HOST}:4444`, "port@example.com");
	expect(new URL(linkIn(await smtp.mailTo("port@example.com"))).origin).toBe(`https://${ACME_HOST}`);
});

it("finds the tenant by the slug in the path", async () => {
	const context = { requestId: "1", tenantSlug: "globex", tenantId: null, provider: null };
	expect((await runInRequest(context, () => signUp("auth.example.com", "path@example.com"))).status).toBe(200);
	expect(await tenantsOf("path@example.com")).toEqual([world.globex.id]);
	// links name the tenant of the path
	const link = new URL(linkIn(await smtp.mailTo("path@example.com")));
	expect(link.origin).toBe(HTTPS);
	const { cookies } = await world.call(`${link.pathname}${link.search}`);
	const session = await world.call("/get-session", { headers: { cookie: cookieHeader(cookies) } });
	expect(session.json.session).toMatchObject({ tenantId: world.globex.id });
});

it("applies a changed domains file, and keeps the last good one if it breaks", async () => {
	const isGlobex = async (host: string) => {
		const email = `${Math.random()}@example.com`;
		await world.call("/tenant/sign-up/email", { host, body: { name: "Ada", email, password: PASSWORD } });
		return (await tenantsOf(email))[0] === world.globex.id;
	};
	const complaints = () => world.lines.filter((line) => line.includes("domains file")).length;
	const patience = { timeout: 60_000 };
	await writeFile(file, JSON.stringify({ "Login.Globex.com": world.globex.id, "id.globex.com": world.globex.id }));
	await expect.poll(() => isGlobex("id.globex.com"), patience).toBe(true);
	for (const [index, broken] of ["{", '{"id.globex.com": 7}', "[]", null].entries()) {
		await (broken === null ? rm(file) : writeFile(file, broken));
		// it looks at the file when a request comes, at most once a second
		await expect
			.poll(async () => {
				expect(await isGlobex("id.globex.com")).toBe(true);
				return complaints();
			}, patience)
			.toBe(index + 1);
	}
	await writeFile(file, JSON.stringify({ "login.globex.com": world.globex.id }));
	await expect.poll(() => isGlobex("id.globex.com"), patience).toBe(false);
	expect(complaints()).toBe(4);
}, 180_000);

it("audits all lookups except its own", async () => {
	const audited = () => world.lines.filter((line) => line.includes('"audit"'));
	expect(audited().join("")).not.toContain("tenant:get");
	expect(audited().join("")).toContain("tenant:create");
	await world.call(`/tenant/get?id=${world.acme.id}`, { headers: { authorization: "Bearer nobody" } });
	expect(audited().at(-1)).toMatch(/"audit":\{.*"action":"tenant:get".*"outcome":"refused"/);
});
