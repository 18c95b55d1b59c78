import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleWorld, startConsole } from "../console/console-world.ts";

let world: ConsoleWorld;
beforeAll(async () => {
	world = await startConsole();
});
afterAll(() => world.close());

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
	fetch(`${world.service.url}${path}`, { redirect: "manual", ...init });

/** A path as it is: `fetch` would resolve its dots. */
const getRaw = (path: string): Promise<number> =>
	new Promise((resolve, reject) => {
		const { hostname, port } = new URL(world.service.url);
		request({ hostname, port, path }, (answer) => {
			answer.resume();
			resolve(answer.statusCode ?? 0);
		})
			.on("error", reject)
			.end();
	});

// threat 135
describe("the page", { timeout: 60_000 }, () => {
	it.each(["/console", "/console/tenants", "/console/unknown/page", "/t/acme/console", "/t/globex/console/account"])(
		"runs nothing inline, loads nothing from elsewhere and cannot be framed at %s",
		async (path) => {
			const answer = await get(path);
			expect(answer.status).toBe(200);
			const policy = Object.fromEntries(
				(answer.headers.get("content-security-policy") ?? "").split("; ").map((rule) => rule.split(/ (.*)/s, 2)),
			);
			expect(policy).toMatchObject({
				"default-src": "'none'",
				"script-src": "'self'",
				"style-src": "'self'",
				"connect-src": "'self'",
				"form-action": "'self'",
				"base-uri": "'none'",
				"frame-ancestors": "'none'",
				"require-trusted-types-for": "'script'",
				"trusted-types": "'none'",
			});
			expect(JSON.stringify(policy)).not.toMatch(/unsafe|\*|https?:|data:/);
			expect(answer.headers.get("cache-control")).toBe("no-store");
			expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
			expect(answer.headers.get("x-frame-options")).toBe("DENY");
			expect(answer.headers.get("referrer-policy")).toBe("same-origin");
			const html = await answer.text();
			expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|javascript:/i);
			for (const [, url = ""] of html.matchAll(/(?:src|href)="([^"]*)"/g)) expect(url).toMatch(/^\/console\//);
		},
	);

	it("names the place of a tenant and its sign-in page, and nothing of who asks", async () => {
		const acme = await (await get("/t/acme/console")).text();
		expect(acme).toContain('data-base="/t/acme"');
		expect(acme).toContain('data-sign-in="/t/acme/sign-in"');
		const platform = await get("/console", { headers: { cookie: world.operator.browser.header() } });
		const html = await platform.text();
		expect(html).toContain('data-base=""');
		// operators use the form of the console
		expect(html).toContain('data-sign-in=""');
		expect(html).toBe(await (await get("/console")).text());
		expect(platform.headers.getSetCookie()).toEqual([]);
		// a tenant that does not exist has the same page as one that does
		expect((await (await get("/t/nobody/console")).text()).replaceAll("nobody", "acme")).toBe(acme);
	});

	it("responds to GET and HEAD only", async () => {
		expect((await get("/console", { method: "HEAD" })).status).toBe(200);
		for (const method of ["POST", "PUT", "DELETE"]) {
			const answer = await get("/console", { method, headers: { origin: "https://evil.example" } });
			expect([method, answer.status]).toEqual([method, 404]);
			expect(answer.headers.get("access-control-allow-origin")).not.toBe("https://evil.example");
			expect(await answer.text()).not.toContain("data-base");
		}
	});
});

// threat 135
describe("the files", { timeout: 60_000 }, () => {
	it("have a fixed type, never change under their name, and are compressed on request", async () => {
		const html = await (await get("/console")).text();
		const files = [...html.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
		expect(files.length).toBeGreaterThan(1);
		for (const path of files) {
			const answer = await get(path, { headers: { "accept-encoding": "gzip" } });
			expect(answer.status).toBe(200);
			expect(answer.headers.get("content-type")).toMatch(/^text\/(javascript|css); charset=utf-8$/);
			expect(answer.headers.get("cache-control")).toContain("immutable");
			expect(answer.headers.get("content-encoding")).toBe("gzip");
			expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
		}
	});

	it.each([
		"/console/assets/unknown.js",
		"/console/assets/",
		"/console/assets/..%2f..%2fmain.js",
		"/console/assets/%2e%2e/%2e%2e/package.json",
		"/console/assets/../../package.json",
		"/console/assets/../../../../../etc/passwd",
		"/console/assets/..\\..\\package.json",
		"/console/assets/index.html",
		"/console/assets//etc/passwd",
		"/console/assets/__proto__",
		"/console/assets/constructor",
	])("has nothing at %s", async (path) => {
		expect(await getRaw(path)).not.toBe(200);
	});
});
