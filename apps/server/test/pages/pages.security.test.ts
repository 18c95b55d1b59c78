import { EVIL_HOST, REDIRECT_PAYLOADS } from "test-kit/redirect-payloads";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createOriginCheck } from "../../src/http/origins.ts";
import { PAGE_PATHS } from "../../src/lib/page-paths.ts";
import { readReturnURL } from "../../src/pages/return-url.ts";
import { PASSWORD, PLATFORM_HOST, startPages, type Tenant, textOf } from "./pages-world.ts";

// a journey hashes many passwords, and a busy machine stands still for seconds
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const CANARY = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`;
const EMAIL = "ada@example.com";

let world: Awaited<ReturnType<typeof startPages>>;
let acme: Tenant;
let globex: Tenant;
let initech: Tenant;
let umbrella: Tenant;
beforeAll(async () => {
	world = await startPages({ REQUIRE_EMAIL_VERIFICATION: "false" });
	acme = await world.createTenant("acme", { name: CANARY });
	globex = await world.createTenant("globex");
	initech = await world.createTenant("initech", {}, true);
	umbrella = await world.createTenant("umbrella", {}, true);
	for (const tenant of [acme, globex, initech, umbrella]) {
		const visitor = world.visitor(tenant.host);
		const page = await visitor.get(`${tenant.base}/sign-up`);
		await visitor.submit(page, { name: "Ada", email: EMAIL, password: PASSWORD });
	}
}, 120_000);
afterAll(() => world.close());

const signIn = async ({ host, base }: Tenant, query = "") => {
	const visitor = world.visitor(host);
	const page = await visitor.get(`${base}/sign-in${query}`);
	return { visitor, page, done: await visitor.submit(page, { email: EMAIL, password: PASSWORD }) };
};

const KNOWN =
	"!doctype html head meta title link script body main div span img h1 p form label input button a ul li dl dt dd noscript footer code".split(
		" ",
	);

/** A drawing of the service itself: one path, and nothing that anybody can put something into. */
const ICON =
	/<svg viewBox="0 0 24 24" aria-hidden="true"(?: class="drawn")?><path d="[-\d\s.,a-zA-Z]+"><\/path><\/svg>/g;

/** A page contains no element or attribute that it should not have, whatever was put into it. */
const expectInert = (text: string): void => {
	// values are quoted, and what is in them is escaped
	const tags = text.replace(ICON, "").replace(/="[^"<>]*"/g, "");
	const names = [...tags.matchAll(/<\/?([^\s>/]*)/g)].map(([, name]) => name);
	expect(names.filter((name) => !KNOWN.includes(name ?? ""))).toEqual([]);
	const attributes = [...tags.matchAll(/<[^>]*>/g)].flatMap(([tag]) => tag.split(/[\s/>]+/).slice(1));
	expect(attributes.filter((name) => /^on|^style|=/.test(name))).toEqual([]);
	const scripts = [...text.matchAll(/<script[^>]*>.*?<\/script>/gs)].map(([tag]) => tag);
	expect(scripts).toEqual([
		expect.stringMatching(/^<script src="\/pages\/pages\.[0-9a-f]{12}\.js" defer=""><\/script>$/),
	]);
	expect(text).not.toContain("alert(1)</script>");
};

// threat 120
it("shows hostile tenant names, input and error codes as text, in every page", async () => {
	const visitor = world.visitor(acme.host);
	const hostile = encodeURIComponent(CANARY);
	for (const path of PAGE_PATHS) {
		const query = ["error", "error_description", "notice", "for", "step", "methods", "returnTo", "client_id", "sig"]
			.map((name) => `${name}=${hostile}`)
			.join("&");
		for (const target of [path, `${path}?${query}`]) {
			const shown = await visitor.get(target);
			expectInert(shown.text);
		}
	}
	const page = await visitor.get("/sign-in");
	expect(textOf(page)).toContain('Sign in to "><script>');
	const echoed = await visitor.submit(page, { email: CANARY, password: CANARY });
	expectInert(echoed.text);
	expect(echoed.text).toContain("&lt;script&gt;");
	const signedUp = await visitor.submit(await visitor.get("/sign-up"), {
		name: CANARY,
		email: CANARY,
		password: CANARY,
	});
	expectInert(signedUp.text);
	// the address travels in a cookie, which a visitor can change
	visitor.browser.cookies.set("__Host-pages-email", Buffer.from(CANARY).toString("base64url"));
	expectInert((await visitor.get("/check-email?for=reset")).text);
});

// threat 120
it("lets no page be framed, run inline code, load from elsewhere or be cached", async () => {
	for (const { host, base } of [acme, initech])
		for (const path of PAGE_PATHS) {
			const { headers } = await world.send(host, `${base}${path}`);
			const policy = headers.get("content-security-policy") ?? "";
			expect(policy.split("; ")).toEqual([
				"default-src 'none'",
				"script-src 'self'",
				"style-src 'self'",
				"img-src 'self'",
				"connect-src 'self'",
				"form-action 'self'",
				"base-uri 'none'",
				"frame-ancestors 'none'",
				"require-trusted-types-for 'script'",
				"trusted-types 'none'",
			]);
			expect(headers.get("x-frame-options")).toBe("DENY");
			expect(headers.get("cache-control")).toBe("no-store");
			expect(headers.get("referrer-policy")).toBe("same-origin");
			expect(headers.get("x-content-type-options")).toBe("nosniff");
		}
});

// threat 121
it("accepts no return URL that leads to another site", () => {
	const own = `https://${globex.host}`;
	const isTrusted = createOriginCheck(["https://shop.example.com"]);
	for (const payload of REDIRECT_PAYLOADS) {
		const kept = readReturnURL(payload, own, isTrusted);
		if (kept === null) continue;
		expect([payload, new URL(kept, own).origin, kept.slice(0, 2)]).toEqual([
			payload,
			own,
			expect.not.stringMatching(/^\/[/\\]/),
		]);
	}
	expect(readReturnURL("https://shop.example.com/a?b#c", own, isTrusted)).toBe("https://shop.example.com/a?b#c");
	expect(readReturnURL("https://shop.example.com@evil.example/", own, isTrusted)).toBeNull();
	expect(readReturnURL("https://user@shop.example.com/", own, isTrusted)).toBeNull();
});

// threat 121
it("leads to no other site and no other tenant after a sign-in", async () => {
	for (const elsewhere of [`https://${EVIL_HOST}/`, `//${EVIL_HOST}`, `https://${acme.host}/`, "javascript:alert(1)"]) {
		const { page, done } = await signIn(globex, `?returnTo=${encodeURIComponent(elsewhere)}`);
		expect(textOf(page)).toContain("The address that you came from is not known here.");
		expect([elsewhere, done.leadsTo, done.at]).toEqual([elsewhere, null, "/signed-in"]);
	}
	// nor when a visitor changes the address in the form
	const visitor = world.visitor(globex.host);
	const done = await visitor.post(`/sign-in?returnTo=https://${EVIL_HOST}/`, { email: EMAIL, password: PASSWORD });
	expect([done.leadsTo, done.at]).toEqual([null, "/signed-in"]);
});

it("leads to a trusted origin, and to a path of its own host", async () => {
	for (const tenant of [globex, initech]) {
		const shop = await signIn(tenant, "?returnTo=https://shop.example.com/cart?a=1%26b");
		expect(shop.done.leadsTo).toBe("https://shop.example.com/cart?a=1&b");
		const own = await signIn(tenant, "?returnTo=/account");
		expect(own.done.leadsTo).toBe("/account");
	}
});

// threat 121
it("does nothing for a form that another site, another tenant or nobody sent", async () => {
	const fields = { email: EMAIL, password: PASSWORD };
	const strangers: Record<string, string>[] = [
		{ origin: `https://${EVIL_HOST}`, "sec-fetch-site": "cross-site" },
		{ origin: `https://${acme.host}`, "sec-fetch-site": "same-site" },
		{ origin: "https://shop.example.com", "sec-fetch-site": "cross-site" },
		{ origin: "null", "sec-fetch-site": "cross-site" },
		{ origin: `https://${globex.host}`, "sec-fetch-site": "cross-site" },
		{ origin: `http://${globex.host}`, "sec-fetch-site": "same-site" },
		{ origin: "" },
	];
	const { visitor } = await signIn(globex);
	for (const headers of strangers) {
		const stranger = world.visitor(globex.host);
		const tried = await stranger.post("/sign-in", fields, headers);
		expect([headers, tried.status, tried.headers.getSetCookie()]).toEqual([headers, 403, []]);
		expect(textOf(tried)).toContain("This form was sent from another site");
		// with the cookies of somebody who is signed in
		expect((await visitor.post("/sign-out", {}, headers)).status).toBe(403);
		expect(await visitor.session()).not.toBeNull();
	}
	// a link cannot sign out
	expect((await visitor.get("/sign-out")).status).toBe(200);
	expect(await visitor.session()).not.toBeNull();
});

// threat 119
it("neither reads nor sets the session of another tenant", async () => {
	for (const [own, other] of [
		[globex, acme],
		[initech, umbrella],
		[umbrella, initech],
	] as const) {
		const { visitor, done } = await signIn(own);
		expect(done.at).toBe(`${own.base}/signed-in`);
		const elsewhere = world.visitor(other.host);
		for (const [name, value] of visitor.browser.cookies) elsewhere.browser.cookies.set(name, value);
		const shown = await elsewhere.get(`${other.base}/signed-in`);
		expect(textOf(shown)).not.toContain(EMAIL);
		expect(shown.at).toBe(`${other.base}/sign-in`);
		expect((await visitor.session(own.base))?.session).toMatchObject({ tenantId: own.id });
	}
});

it("returns the same page for a tenant that does not exist, the platform and an unknown page", async () => {
	const bodies = new Set<string>();
	for (const [host, path] of [
		["nobody.app.example.com", "/sign-in"],
		["evil.example", "/sign-in"],
		[PLATFORM_HOST, "/sign-in"],
		[PLATFORM_HOST, "/t/nobody/sign-in"],
		[PLATFORM_HOST, "/t/nobody/reset-password?token=x"],
	] as const) {
		const shown = await world.visitor(host).get(path);
		expect([host, path, shown.status, shown.headers.getSetCookie()]).toEqual([host, path, 404, []]);
		bodies.add(textOf(shown).replace(/[0-9a-f-]{36}/, "…"));
	}
	expect(bodies.size).toBe(1);
});

// threat 119
it("signs in to another tenant on the same host, which ends the session of the first", async () => {
	const { visitor } = await signIn(initech);
	const page = await visitor.get(`${umbrella.base}/sign-in`);
	expect([page.status, page.at]).toEqual([200, `${umbrella.base}/sign-in`]);
	const done = await visitor.submit(page, { email: EMAIL, password: PASSWORD });
	expect(done.at).toBe(`${umbrella.base}/signed-in`);
	expect((await visitor.session(umbrella.base))?.session).toMatchObject({ tenantId: umbrella.id });
	expect((await visitor.get(`${initech.base}/signed-in`)).at).toBe(`${initech.base}/sign-in`);
});

it("shows no text of a link on Better Auth's error page", async () => {
	const text = "Your account was locked. Call +1 555 010 999";
	for (const path of ["/error", "/error/", "/%65rror", "/./error"]) {
		const query = new URLSearchParams({ error: "ACCOUNT_LOCKED", error_description: text });
		const page = await world.visitor(globex.host).get(`${globex.base}/api/auth${path}?${query}`);
		expect([path, page.text.includes("555")]).toEqual([path, false]);
	}
	expect((await world.visitor(globex.host).get("/api/auth/error?error=locked")).text).toContain("locked");
});
