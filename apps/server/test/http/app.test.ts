import { afterEach, describe, expect, it } from "vitest";
import { startEcho } from "../support/echo.ts";
import { sendRaw } from "../support/raw-http.ts";

describe("the service over HTTP", () => {
	let world: Awaited<ReturnType<typeof startEcho>>;
	afterEach(() => world.close());

	it("is alive", async () => {
		world = await startEcho();
		const answer = await fetch(`${world.url}/livez`);
		expect(answer.status).toBe(200);
		expect(await answer.json()).toEqual({ status: "ok" });
	});

	it("reports whether it is ready, and which check fails", async () => {
		let ready = true;
		world = await startEcho({ readiness: async () => ({ ready, checks: { database: ready ? "ok" : "failed" } }) });
		expect((await fetch(`${world.url}/readyz`)).status).toBe(200);
		ready = false;
		const answer = await fetch(`${world.url}/readyz`);
		expect(answer.status).toBe(503);
		expect(await answer.json()).toEqual({ status: "unavailable", checks: { database: "failed" } });
	});

	it("has its probes at one spelling, which a proxy can keep inside", async () => {
		world = await startEcho();
		for (const path of ["/%72eadyz", "/x/../readyz", "/./livez", "//livez"]) {
			const answer = await sendRaw(world.port, `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
			expect([path, answer.split("\r\n", 1)]).toEqual([path, ["HTTP/1.1 404 Not Found"]]);
		}
	});

	it("passes every method and body to the engine, and returns the response", async () => {
		world = await startEcho();
		for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
			const echo = await world.echo("/api/auth/echo?a=%20b&c", { method, body: '{"a":1}' });
			expect(echo).toMatchObject({ method, body: '{"a":1}', url: `${world.url}/api/auth/echo?a=%20b&c` });
		}
		expect(await world.echo("/api/auth/echo")).toMatchObject({ method: "GET", body: "" });
	});

	it.each(["/", "/nothing", "/api/auth", "/api/auth/", "/api/auth/nothing", "/api/authors", "/metrics"])(
		"returns 404 with a code and the request id for %s",
		async (path) => {
			world = await startEcho();
			const answer = await fetch(`${world.url}${path}`);
			expect(answer.status).toBe(404);
			const requestId = answer.headers.get("x-request-id");
			expect(await answer.json()).toEqual({ code: "NOT_FOUND", requestId });
			expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
		},
	);

	it("returns 500 with a code and the request id, and logs the details under that id", async () => {
		world = await startEcho({
			handler: async () => {
				throw new Error("the database said: canary");
			},
		});
		const answer = await fetch(`${world.url}/api/auth/echo`);
		expect(answer.status).toBe(500);
		const requestId = answer.headers.get("x-request-id");
		expect(await answer.json()).toEqual({ code: "INTERNAL_SERVER_ERROR", requestId });
		const line = world.log.lines().find(({ level }) => level === "error");
		expect(line).toMatchObject({ requestId, err: { message: "the database said: canary" } });
		expect(await world.metrics.text()).toContain("unhandled_errors_total 1");
	});

	it("keeps the code of the engine's 500, but not its message", async () => {
		const bodies = [
			{ code: "FAILED_TO_CREATE_USER", message: "canary" },
			{ code: "canary has words", message: "canary" },
			["canary"],
		];
		world = await startEcho({ handler: async () => Response.json(bodies.shift(), { status: 500 }) });
		const answers = await Promise.all([1, 2, 3].map(async () => (await fetch(`${world.url}/api/auth/echo`)).json()));
		expect(answers.map((answer) => (answer as { code: string }).code).sort()).toEqual([
			"FAILED_TO_CREATE_USER",
			"INTERNAL_SERVER_ERROR",
			"INTERNAL_SERVER_ERROR",
		]);
		expect(JSON.stringify(answers)).not.toContain("canary");
	});

	it("adds a code to the engine's empty 404, and keeps its redirects and cookies", async () => {
		const answers = [
			new Response(null, { status: 404 }),
			Response.redirect("https://app.example.com/x?token=1", 302),
			new Response("{}", {
				headers: [
					["set-cookie", "a=1; Path=/"],
					["set-cookie", "b=2; Path=/"],
				],
			}),
		];
		world = await startEcho({ handler: async () => answers.shift() ?? new Response() });
		const ask = () => fetch(`${world.url}/api/auth/echo`, { redirect: "manual" });
		expect(await (await ask()).json()).toMatchObject({ code: "NOT_FOUND" });
		const redirect = await ask();
		expect([redirect.status, redirect.headers.get("location")]).toEqual([302, "https://app.example.com/x?token=1"]);
		expect((await ask()).headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2; Path=/"]);
	});

	it("sets security headers", async () => {
		world = await startEcho({ environment: { AUTH_URL: "https://auth.example.com" } });
		for (const path of ["/livez", "/api/auth/echo", "/nothing"]) {
			const { headers } = await fetch(`${world.url}${path}`);
			expect(Object.fromEntries(headers)).toMatchObject({
				"x-content-type-options": "nosniff",
				"referrer-policy": "no-referrer",
				"x-frame-options": "DENY",
				"content-security-policy": "default-src 'none'; frame-ancestors 'none'",
				"strict-transport-security": "max-age=31536000",
				"cache-control": "no-store",
			});
			expect(headers.has("x-powered-by") || headers.has("server")).toBe(false);
		}
	});

	it("sends no Strict-Transport-Security over plain http, and allows inline styles on the engine's pages", async () => {
		world = await startEcho({
			handler: async () =>
				new Response("<p>", { headers: { "content-type": "text/html", "cache-control": "public, max-age=60" } }),
		});
		const { headers } = await fetch(`${world.url}/api/auth/echo`);
		expect(headers.get("strict-transport-security")).toBeNull();
		expect(headers.get("content-security-policy")).toBe("frame-ancestors 'none'");
		expect(headers.get("cache-control")).toBe("public, max-age=60");
	});

	it("logs one line per request, with the endpoint's pattern and never the URL", async () => {
		world = await startEcho();
		await (await fetch(`${world.url}/api/auth/callback/google?code=canary&state=canary`)).text();
		await (await fetch(`${world.url}/canary?token=canary`)).text();
		await (await fetch(`${world.url}/livez`)).text();
		await expect.poll(() => world.log.requests()).toHaveLength(3);
		const [callback, unknown, livez] = world.log.requests();
		expect(callback).toMatchObject({
			level: "info",
			method: "GET",
			route: "/callback/:id",
			status: 200,
			tenantId: null,
		});
		expect(callback?.requestId).toMatch(/^[0-9a-f-]{36}$/);
		expect(callback?.ms).toEqual(expect.any(Number));
		expect(callback?.bytes).toBeGreaterThan(100);
		expect(unknown).toMatchObject({ route: "other", status: 404 });
		expect(livez).toMatchObject({ level: "debug", route: "/livez" });
		expect(world.log.text()).not.toContain("canary");
	});
});
