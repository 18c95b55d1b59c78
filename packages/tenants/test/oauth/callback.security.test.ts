import { format } from "node:util";
import { Browser } from "test-kit/browser";
import {
	errorOf,
	globalProviders,
	registerClient,
	signInSocially,
	startSocial,
	useIdentityProvider,
} from "test-kit/social";
import { type Answer, ORIGIN } from "test-kit/world";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
	ada,
	callbackOf,
	count,
	createPair,
	createSocialPair,
	register,
	start,
	userOf,
} from "./support/two-tenants.ts";

const idp = useIdentityProvider();
afterEach(() => vi.unstubAllGlobals());

describe("the application's own redirect URI", () => {
	// threat 22
	it("is used on the platform and in no tenant, with the global and with the tenant's client", async () => {
		const redirectURI = `${ORIGIN}/api/auth/callback/gitlab`;
		const global = { ...globalProviders(idp()).gitlab, redirectURI: `${redirectURI}?own=1` };
		const { world, a, b } = await createSocialPair(idp(), { socialProviders: { gitlab: global } });
		await registerClient(world, idp(), b, "client-of-b");
		const redirectOf = (answer: Answer) => new URL(answer.json.url).searchParams.get("redirect_uri");
		expect(redirectOf(await world.call("/sign-in/social", { body: { provider: "gitlab" } }))).toBe(global.redirectURI);
		const shared = `${ORIGIN}/api/auth/tenant/callback/gitlab`;
		for (const [tenantId, callback] of [
			[a, shared],
			// its options name a server
			[b, `${shared}/${b}`],
		] as const) {
			expect(redirectOf(await start(world, tenantId, "gitlab"))).toBe(callback);
			const tokens = idp().tokenRequests.length;
			const { answer, browser } = await signInSocially(world, idp(), tenantId, ada);
			expect(answer.location).toBe("/home");
			expect((await userOf(world, browser)).tenantId).toBe(tenantId);
			// the code is redeemed with the redirect URI of its request
			expect(
				idp()
					.tokenRequests.slice(tokens)
					.map((sent) => sent.redirectURI),
			).toEqual([callback]);
		}
	});
});

describe("a callback from another issuer", () => {
	// threat 18
	it.each(["gitlab", "microsoft"] as const)("is rejected for %s before the code is sent", async (provider) => {
		const { world, a, b } = await createPair({ engine: { socialProviders: globalProviders(idp()) } });
		for (const tenantId of [a, b]) {
			for (const iss of ["https://evil.example", `${idp().gitlab.issuer}/`, "https://accounts.google.com", "x"]) {
				const { browser, callback } = await startSocial(world, idp(), tenantId, ada, provider);
				const url = new URL(callback);
				expect(url.searchParams.get("iss")).toContain(idp().gitlab.issuer);
				url.searchParams.set("iss", iss);
				const tokens = idp().tokenRequests.length;
				expect([iss, errorOf(await world.call(url.toString(), { browser }))]).toEqual([iss, "issuer_mismatch"]);
				expect(idp().tokenRequests.length).toBe(tokens);
				expect(await userOf(world, browser)).toBeNull();
			}
		}
		expect(await count(world, "user")).toBe(0);
		expect((await signInSocially(world, idp(), a, ada, provider)).answer.location).toBe("/home");
	});

	// threat 18
	it.each([
		["google", {}, "https://accounts.google.com"],
		["gitlab", {}, "https://gitlab.com"],
		[
			"microsoft",
			{ options: { tenantId: "5b7c1a2e-0d3f-4a68-9b1c-7e2f4d6a8c90" } },
			"https://login.microsoftonline.com/5b7c1a2e-0d3f-4a68-9b1c-7e2f4d6a8c90/v2.0",
		],
	])(
		"is rejected for a tenant's own client at %s, and the right issuer is accepted",
		async (provider, config, issuer) => {
			const { world, a, b } = await createPair();
			for (const tenantId of [a, b]) await register(world, tenantId, provider, config);
			const calls: string[] = [];
			vi.stubGlobal("fetch", async (input: unknown) => {
				calls.push(String(input instanceof Request ? input.url : input));
				return Response.json({ error: "invalid_grant" }, { status: 400 });
			});
			for (const tenantId of [a, b]) {
				for (const iss of ["https://evil.example", `${issuer}.evil.example`, issuer.toUpperCase()]) {
					const browser = new Browser();
					const callback = callbackOf(await start(world, tenantId, provider, browser), { iss });
					expect([iss, errorOf(await world.call(callback, { browser }))]).toEqual([iss, "issuer_mismatch"]);
				}
			}
			expect(calls).toEqual([]);
			const browser = new Browser();
			const callback = callbackOf(await start(world, a, provider, browser), { iss: issuer });
			expect(errorOf(await world.call(callback, { browser }))).toBe("invalid_code");
			expect(calls.length).toBe(1);
		},
	);
});

/** Error texts that would break a page, a header or a log line. */
const HOSTILE_WORDS: Record<string, string>[] = [
	{ error: "<script>alert(1)</script>", error_description: "<img src=x onerror=alert(1)>" },
	{ error: "x", error_description: `"><svg/onload=alert(1)>` },
	{ error: "x\r\nset-cookie: planted=1", error_description: "a\r\nplanted: 1\r\n\r\n<b>body</b>" },
	{ error: "x\nplanted: 1", error_description: "\rplanted: 1" },
	{ error: "x\u2028planted: 1", error_description: "\u0085planted: 1" },
	{ error: "x&error=y#z", error_description: "</title><script>alert(1)</script>" },
];

describe("a provider's error text in a callback", () => {
	// threat 26
	it("breaks no header, no page and no log line", async () => {
		const printed: string[] = [];
		const { world, a, b } = await createSocialPair(idp(), {
			// as the engine's default logger prints it
			logger: { level: "debug", log: (...parts) => printed.push(format(...parts)) },
		});
		for (const words of HOSTILE_WORDS) {
			const { browser, url } = await startSocial(world, idp(), a, ada);
			const state = new URL(url).searchParams.get("state") ?? "";
			const stolen = await startSocial(world, idp(), b, ada);
			const answers = [
				// from another browser, then with a wrong state, then with the right one
				await world.call("/tenant/callback/gitlab", { browser: stolen.browser, query: { state, ...words } }),
				await world.call("/tenant/callback/gitlab", { browser, query: { state: `${state}x`, ...words } }),
				await world.call("/tenant/callback/gitlab", { browser, query: { state, ...words } }),
			];
			for (const answer of answers) {
				expect(answer.status).toBe(302);
				for (const [name, value] of answer.headers) {
					expect([name, /[\r\n<>"]/.test(value)]).toEqual([name, false]);
					expect(name).not.toBe("planted");
				}
				expect(answer.headers.getSetCookie().filter((cookie) => cookie.startsWith("planted"))).toEqual([]);
				expect(answer.text).not.toContain("<");
			}
			const last = new URL(answers[2]?.location ?? "", ORIGIN);
			expect([last.origin, last.pathname, Object.fromEntries(last.searchParams)]).toEqual([ORIGIN, "/failed", words]);

			const page = await world.call("/error", { query: words });
			expect(page.status).toBe(200);
			for (const tag of ["<script>alert", "<img", "<svg", "<b>", "</title><script"])
				expect(page.text).not.toContain(tag);
		}
		const lines = printed.flatMap((text) => text.split(/[\r\n\u0085\u2028]/));
		expect(lines.filter((line) => /^(?:planted|set-cookie):|<script|<img|<svg/.test(line))).toEqual([]);
	});
});
