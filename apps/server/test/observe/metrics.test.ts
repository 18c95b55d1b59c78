import { beforeAll, describe, expect, it } from "vitest";
import { createMetrics } from "../../src/measure/metrics.ts";
import { SIGN_IN_ENDPOINTS, signInOf } from "../../src/measure/sign-ins.ts";
import { PROVIDER_COUNT } from "../../src/observe/providers.ts";
import { createRoutes, OTHER, type Routes } from "../../src/request/routes.ts";
import { startEcho } from "../support/echo.ts";
import { createIdleAuth } from "../support/engine.ts";

const MANY = 100_000;

describe("metrics", () => {
	let routes: Routes;
	let patterns: Set<string>;
	beforeAll(async () => {
		const { api } = await createIdleAuth();
		routes = createRoutes(api);
		patterns = new Set(Object.values(api).map((endpoint) => (endpoint as { path?: string }).path ?? "/"));
	});

	it("have as many series with 100,000 tenants, paths and providers as with a few", async () => {
		const metrics = createMetrics({ pool: { totalCount: 1, idleCount: 1, waitingCount: 0 } });
		for (let at = 0; at < MANY; at += 1) {
			const method = at % 7 === 0 ? `M${at}` : (["GET", "POST", "PUT", "DELETE", "OPTIONS"][at % 5] ?? "");
			const path =
				[`/tenant-${at}/sign-in/email`, `/callback/provider-${at}`, `/reset-password/token-${at}`, `/x${at}`][at % 4] ??
				"";
			const route = routes.find(method, path);
			metrics.request({ method, route, status: at % 1000, seconds: (at % 100) / 10 });
			const response = { status: 200 + (at % 400), headers: new Headers() };
			const signIn = signInOf({ pattern: route.pattern, provider: `provider-${at}`, response });
			if (signIn) metrics.signIn(signIn);
			metrics.signIn({ method: `method-${at}`, outcome: "success" });
			metrics.providerAnswered(`provider-${at}.example.com`, 0.1, 200 + (at % 400));
			metrics.providerUnreachable(`tenant-${at}`);
			metrics.tenantCache[at % 2 === 0 ? "hit" : "miss"]();
		}
		const text = await metrics.text();
		expect(text).not.toMatch(/tenant-\d|provider-\d|token-\d|method-\d|M\d/);
		const own = seriesOf(text).filter((line) => !/^(nodejs|process)_/.test(line));
		expect(own.length).toBeLessThan(500);
	});

	it("count refusals by reason, mails by outcome, dropped lines, and what Redis has", async () => {
		let dropped = 3;
		const metrics = createMetrics({
			pool: null,
			cache: {
				probe: async () => {
					throw new Error("OOM command not allowed");
				},
				state: () => ({ isLeased: true, isStoreUp: false, remembered: 7 }),
				counts: { found: 4, missing: 2, failed: 1 },
			},
			mails: { counts: { sent: 5, failed: 1 }, pending: async () => ({ pending: 2, oldest: 90 }) },
			droppedLines: () => dropped,
		});
		metrics.refused(429, null);
		for (const code of ["TENANT_BUSY", "SERVER_BUSY", "HASHING_BUSY", "STORE_UNAVAILABLE", "MADE_UP"])
			metrics.refused(503, code);
		await metrics.text();
		dropped = 4;
		const seen = seriesOf(await metrics.text()).filter((line) =>
			/^(requests_refused|mails|log|redis|session)_/.test(line),
		);
		expect(seen.sort()).toEqual([
			"log_lines_dropped_total 4",
			"mails_failed_total 1",
			"mails_oldest_pending_seconds 90",
			"mails_pending 2",
			"mails_sent_total 5",
			"redis_up 0",
			'requests_refused_total{reason="hashing_busy"} 1',
			'requests_refused_total{reason="limited"} 1',
			'requests_refused_total{reason="server_busy"} 1',
			'requests_refused_total{reason="store_unavailable"} 1',
			'requests_refused_total{reason="tenant_busy"} 1',
			"session_cache_changed_users 7",
			"session_cache_followed 1",
			'session_copies_total{result="failed"} 1',
			'session_copies_total{result="found"} 4',
			'session_copies_total{result="missing"} 2',
		]);
	});

	it("stay under a bound when every label takes every value it can", async () => {
		const metrics = createMetrics({ pool: null });
		const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];
		for (const method of methods)
			for (const pattern of [...patterns, "/made-up"])
				for (const status of [100, 200, 302, 404, 500])
					metrics.request({ method, route: routes.find(method, pattern.replaceAll(":", "")), status, seconds: 1 });
		const count = seriesOf(await metrics.text()).filter((line) => line.startsWith("http_")).length;
		// five status classes, and the buckets of the histogram, for each endpoint and method and for all others
		expect(count).toBeLessThanOrEqual((routes.size + methods.length) * (5 + 15));
		expect(routes.size).toBeLessThan(250);
		expect(PROVIDER_COUNT).toBeLessThan(100);
	});

	it("stay under the bound over HTTP too, with a tenant in each path", async () => {
		const world = await startEcho({ environment: { TENANT_RESOLVER: "path" } });
		for (let at = 0; at < 300; at += 1) {
			await (await fetch(`${world.url}/t/tenant-${at}/api/auth/callback/provider-${at}?code=${at}`)).text();
			await (await fetch(`${world.url}/t/tenant-${at}/nothing-${at}`)).text();
		}
		await expect.poll(() => world.log.requests().length).toBe(600);
		const text = await world.metrics.text();
		expect(text).toContain('http_requests_total{method="GET",route="/callback/:id",status="2xx"} 300');
		expect(text).toContain('http_requests_total{method="GET",route="other",status="4xx"} 300');
		expect(seriesOf(text).filter((line) => line.startsWith("http_requests_total"))).toHaveLength(2);
		await world.close();
	});

	it("use the pattern of every endpoint", () => {
		const { find } = routes;
		expect(find("POST", "/sign-in/email").pattern).toBe("/sign-in/email");
		expect(find("GET", "/callback/google").pattern).toBe("/callback/:id");
		expect(find("GET", "/reset-password/secret").pattern).toBe("/reset-password/:token");
		expect(find("GET", "/tenant/callback/google/acme").pattern).toBe("/tenant/callback/:id/:tenant");
		for (const path of ["/sign-in/email/", "/callback/", "/callback/a/b", "//sign-in/email", "/SIGN-IN/email", ""])
			expect(find("GET", path)).toBe(OTHER);
		expect(find("GET", "/sign-in/email")).toBe(OTHER);
		expect(find("POST", "/constructor")).toBe(OTHER);
	});
});

describe("sign-ins", () => {
	const cookie = "better-auth.session_token=abc.def; Max-Age=604800; Path=/; HttpOnly";
	const gone = "better-auth.session_token=; Max-Age=0; Path=/; HttpOnly";
	const answer = (status: number, cookies: string[] = [], location?: string) => ({
		status,
		headers: new Headers([
			...cookies.map((one) => ["set-cookie", one]),
			...(location ? [["location", location]] : []),
		] as [string, string][]),
	});

	it.each([
		["/sign-in/email", null, answer(200, [cookie]), { method: "email", outcome: "success" }],
		["/tenant/sign-in/email", null, answer(401), { method: "email", outcome: "refused" }],
		["/tenant/sign-in/email", null, answer(503), { method: "email", outcome: "failed" }],
		["/sign-in/email", null, answer(200, [cookie, gone]), { method: "email", outcome: "pending" }],
		["/two-factor/verify-totp", null, answer(200, [cookie]), { method: "two-factor", outcome: "success" }],
		["/sign-in/social", "google", answer(200), { method: "google", outcome: "pending" }],
		["/callback/:id", "google", answer(302, [cookie], "/home"), { method: "google", outcome: "success" }],
		["/tenant/callback/:id", "github", answer(302, [], "/error?error=x"), { method: "github", outcome: "refused" }],
		["/callback/:id", "made-up", answer(302, [], "/error"), { method: "other", outcome: "refused" }],
		[
			"/magic-link/verify",
			null,
			answer(302, [], "/x?error=INVALID_TOKEN"),
			{ method: "magic-link", outcome: "refused" },
		],
		["/magic-link/verify", null, answer(302, [cookie], "/x"), { method: "magic-link", outcome: "success" }],
		["/get-session", null, answer(200, [cookie]), null],
	])("%s by %s", (pattern, provider, response, expected) => {
		expect(signInOf({ pattern, provider, response })).toEqual(expected);
	});

	it("are counted at existing endpoints", async () => {
		const { api } = await createIdleAuth();
		const known = new Set(Object.values(api).map((endpoint) => (endpoint as { path: string }).path));
		expect(SIGN_IN_ENDPOINTS.filter((path) => !known.has(path))).toEqual([]);
		// and no sign-in endpoint is missing
		const candidates = [...known].filter((path) => /sign-in(?!s)|callback\/:|magic-link\/verify/.test(path ?? ""));
		expect(candidates.filter((path) => !SIGN_IN_ENDPOINTS.includes(path))).toEqual([]);
	});
});

const seriesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
