import { createOTP } from "@better-auth/utils/otp";
import { codeIn, linkIn } from "test-kit/servers/smtp";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { PASSWORD, startPages, type Tenant, textOf, titleOf, type Visitor } from "./pages-world.ts";

// a journey hashes many passwords, and a busy machine stands still for seconds
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const EMAIL = "ada@example.com";
const CLIENT = "https://client.example.com";

let world: Awaited<ReturnType<typeof startPages>>;
let acme: Tenant;
let globex: Tenant;
beforeAll(async () => {
	world = await startPages({
		REQUIRE_EMAIL_VERIFICATION: "false",
		SOCIAL_GITHUB_CLIENT_ID: "global",
		SOCIAL_GITHUB_CLIENT_SECRET: "secret",
	});
	acme = await world.createTenant("acme");
	globex = await world.createTenant("globex", {}, true);
}, 60_000);
afterAll(() => world.close());

const signUp = async ({ host, base }: Tenant, email = EMAIL): Promise<Visitor> => {
	const visitor = world.visitor(host);
	const page = await visitor.get(`${base}/sign-up`);
	const done = await visitor.submit(page, { name: "Ada", email, password: PASSWORD });
	expect(done.at).toBe(`${base}/signed-in`);
	return visitor;
};
const api = async (visitor: Visitor, { host, base }: Tenant, path: string, body: object) => {
	const headers = { "content-type": "application/json", origin: `https://${host}`, cookie: visitor.browser.header() };
	const init = { method: "POST", headers, body: JSON.stringify(body) };
	const response = await world.send(host, `${base}/api/auth${path}`, init);
	visitor.browser.take(response);
	return (await response.json()) as Record<string, unknown>;
};

it("asks for the second factor: a code of an app, a mailed code or a backup code", async () => {
	for (const tenant of [acme, globex]) {
		const { base } = tenant;
		const email = `two-${tenant.slug}@example.com`;
		const visitor = await signUp(tenant, email);
		const { totpURI, backupCodes } = await api(visitor, tenant, "/two-factor/enable", { password: PASSWORD });
		const secret = new URL(String(totpURI)).searchParams.get("secret") ?? "";
		const code = () => createOTP(base32(secret)).totp();
		await api(visitor, tenant, "/two-factor/verify-totp", { code: await code() });
		const begin = async () => {
			visitor.browser.cookies.clear();
			return visitor.submit(await visitor.get(`${base}/sign-in`), { email, password: PASSWORD });
		};
		const asked = await begin();
		expect([asked.status, asked.at]).toEqual([200, `${base}/two-factor?methods=totp.otp`]);
		expect(await visitor.session(base)).toBeNull();
		const wrong = await visitor.submit(asked, { code: "000000" });
		expect([wrong.status, wrong.text.includes('id="code-error"')]).toEqual([401, true]);
		expect((await visitor.submit(asked, { code: await code() })).at).toBe(`${base}/signed-in`);
		expect((await visitor.session(base))?.session).toMatchObject({ tenantId: tenant.id });

		const again = await begin();
		const mailed = await visitor.submit(again, { send: "otp" }, 1);
		expect(textOf(mailed)).toContain("A new code is on its way.");
		const sent = codeIn(await world.smtp.mailTo(email, /second factor/));
		expect((await visitor.submit(mailed, { code: sent })).at).toBe(`${base}/signed-in`);

		await begin();
		const backup = await visitor.get(`${base}/two-factor?methods=totp.otp&step=backup`);
		expect(textOf(backup)).toContain("Enter one of the backup codes");
		const [first = ""] = backupCodes as string[];
		expect((await visitor.submit(backup, { code: first })).at).toBe(`${base}/signed-in`);
		// without a first factor there is no second one
		const stranger = world.visitor(tenant.host);
		const early = await stranger.submit(await stranger.get(`${base}/two-factor`), { code: await code() });
		expect([early.status, textOf(early)]).toEqual([401, expect.stringContaining("This took too long. Sign in again.")]);
	}
});

it("signs in with a mailed link and a mailed code", async () => {
	for (const tenant of [acme, globex]) {
		const { base, host, id } = tenant;
		const email = `mailed-${tenant.slug}@example.com`;
		const visitor = world.visitor(host);
		const asked = await visitor.submit(await visitor.get(`${base}/email-link?returnTo=/home`), { email });
		expect(asked.at).toBe(`${base}/check-email?returnTo=%2Fhome&for=link`);
		const link = new URL(linkIn(await world.smtp.mailTo(email, /sign-in link/)));
		const opened = await visitor.get(`${link.pathname}${link.search}`);
		expect(opened.at).toBe("/home");
		expect((await visitor.session(base))?.session).toMatchObject({ tenantId: id });
		// a link works once
		const used = await visitor.get(`${link.pathname}${link.search}`);
		expect([used.at.split("?")[0], textOf(used)]).toEqual([
			`${base}/sign-in`,
			expect.stringContaining("no longer valid"),
		]);

		const other = world.visitor(host);
		const code = await other.submit(await other.get(`${base}/email-code`), { email });
		expect(code.at).toBe(`${base}/email-code?step=code`);
		expect((await other.submit(code, { code: "000000" })).status).toBe(400);
		const sent = codeIn(await world.smtp.mailTo(email, /Your code/));
		expect((await other.submit(code, { code: sent })).at).toBe(`${base}/signed-in`);
		expect((await other.session(base))?.session).toMatchObject({ tenantId: id });
	}
});

it("starts a sign-in with the tenant's own client at a provider, and explains what went wrong there", async () => {
	const config = { tenantId: acme.id, providerId: "github", clientId: "own", clientSecret: "own-secret" };
	expect((await world.operate("/tenant/oauth-config/register", config)).status).toBe(200);
	for (const [tenant, client] of [
		[acme, "own"],
		[globex, "global"],
	] as const) {
		const { base, host } = tenant;
		const visitor = world.visitor(host);
		const page = await visitor.get(`${base}/sign-in?returnTo=/home`);
		const button = page.forms[1]?.buttons.find(({ value }) => value === "github");
		expect(button?.name).toBe("provider");
		const leaving = await visitor.submit(page, { provider: "github" }, 1);
		const target = new URL(leaving.leadsTo ?? "");
		expect([target.host, target.searchParams.get("client_id")]).toEqual(["github.com", client]);
		const state = target.searchParams.get("state") ?? "";
		const callback = new URL(target.searchParams.get("redirect_uri") ?? "");
		const back = await visitor.get(`${callback.pathname}?error=access_denied&state=${state}`);
		expect([back.at.split("?")[0], textOf(back)]).toEqual([
			`${base}/sign-in`,
			expect.stringContaining("The sign-in was cancelled."),
		]);
		const unknown = await visitor.submit(page, { provider: "unknown" }, 1);
		expect([unknown.status >= 400, unknown.leadsTo]).toEqual([true, null]);
	}
});

it("signs in for an OAuth client of the tenant, asks for consent and leads back to it", async () => {
	const other = await world.createTenant("other");
	for (const tenant of [acme, other]) {
		const { host, id } = tenant;
		const email = `oauth-${tenant.slug}@example.com`;
		await signUp(tenant, email);
		const client = {
			redirect_uris: [`${CLIENT}/callback`],
			client_name: "<b>Shop</b>",
			token_endpoint_auth_method: "client_secret_post",
			grant_types: ["authorization_code"],
			scope: "openid email",
		};
		const { client_id } = await world.operate("/tenant/oauth-client/create", { tenantId: id, client });
		const query = new URLSearchParams({
			client_id: String(client_id),
			redirect_uri: `${CLIENT}/callback`,
			response_type: "code",
			scope: "openid email",
			state: "a state",
			code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
			code_challenge_method: "S256",
		});
		const visitor = world.visitor(host);
		// Node's fetch says that it is one, so Better Auth returns the URL instead of a redirect
		const { text } = await visitor.get(`/api/auth/oauth2/authorize?${query}`);
		const { pathname, search } = new URL((JSON.parse(text) as { url: string }).url, `https://${host}`);
		const page = await visitor.get(`${pathname}${search}`);
		expect([page.status, page.at.split("?")[0]]).toEqual([200, "/sign-in"]);
		const signedIn = await visitor.submit(page, { email, password: PASSWORD });
		const consent = signedIn.leadsTo === null ? signedIn : await visitor.get(signedIn.leadsTo);
		expect([consent.status, titleOf(consent)]).toEqual([200, `Allow <b>Shop</b>? – ${tenant.slug}`]);
		expect(textOf(consent)).toContain("know who you are see your email address You will go to client.example.com.");
		const denied = await visitor.submit(consent, { accept: "no" });
		expect(new URL(denied.leadsTo ?? "").searchParams.get("error")).toBe("access_denied");
		const allowed = await visitor.submit(consent, { accept: "yes" });
		const back = new URL(allowed.leadsTo ?? "");
		expect([back.origin, back.searchParams.get("state"), back.searchParams.get("code")]).toEqual([
			CLIENT,
			"a state",
			expect.any(String),
		]);
		// a query that somebody changed
		const changed = await visitor.post((consent.forms[0]?.action ?? "").replace("scope=openid", "scope=admin"), {
			accept: "yes",
		});
		expect([changed.status, changed.leadsTo]).toEqual([400, null]);
	}
});

/** RFC 4648, section 6. The URI contains the secret in this form. */
const base32 = (text: string): string => {
	let bits = "";
	for (const letter of text.replace(/=+$/, ""))
		bits += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0");
	return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))).toString();
};
