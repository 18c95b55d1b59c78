import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { createConsolePaths } from "../../src/http/console-files/console-paths.ts";
import type { ConsoleFile } from "../../src/http/console-files/open-files.ts";
import { serveConsole } from "../../src/http/console-files/serve-console.ts";
import type { AppEnvironment } from "../../src/request/environment.ts";

const INDEX = '<html lang="en" data-base="" data-api="/api/auth" data-sign-in="">';

const file = (type: string, text: string): ConsoleFile => ({
	type,
	body: Buffer.from(text),
	zipped: async () => Buffer.from(text),
});

/** The console of a service whose tenants have a path each. */
const open = () => {
	const findPlace = createConsolePaths("/t/:tenant");
	const serve = serveConsole({
		basePath: "/api/auth",
		hasSignInPage: () => false,
		files: new Map([
			["index.html", file("text/html", INDEX)],
			["assets/main.js", file("text/javascript", "1")],
		]),
	});
	const app = new Hono<AppEnvironment>();
	app.all("*", async (c): Promise<Response> => {
		const place = findPlace(c.req.path);
		return place ? serve(c, place) : c.text("not the console", 404);
	});
	return (path: string, method = "GET") => app.request(path, { method });
};

// threat 135
describe("the console's page", () => {
	const request = open();

	it("runs no inline code, loads nothing from elsewhere, is in no frame and turns no text into HTML", async () => {
		for (const path of ["/console", "/t/acme/console", "/t/globex/console/tenant/x/users"]) {
			const policy = (await request(path)).headers.get("content-security-policy")?.split("; ");
			expect(policy).toContain("default-src 'none'");
			expect(policy).toContain("script-src 'self'");
			expect(policy).toContain("style-src 'self'");
			expect(policy).toContain("img-src 'self'");
			expect(policy).toContain("connect-src 'self'");
			expect(policy).toContain("frame-ancestors 'none'");
			expect(policy).toContain("base-uri 'none'");
			expect(policy).toContain("require-trusted-types-for 'script'");
			expect(policy).toContain("trusted-types 'none'");
			expect(policy?.join()).not.toMatch(/unsafe|https?:|data:|\*/);
		}
	});

	it("is the same for two tenants but for the path, and is never stored", async () => {
		const [acme, globex] = await Promise.all([request("/t/acme/console"), request("/t/globex/console")]);
		expect(acme.headers.get("cache-control")).toBe("no-store");
		expect((await acme.text()).replace("/t/acme", "")).toBe((await globex.text()).replace("/t/globex", ""));
	});

	it("takes no text of the URL but a valid slug", async () => {
		for (const path of ['/t/a"><script>/console', "/t/%22%3E%3Cscript%3E/console", "/t/../console", "/t//console"]) {
			const answer = await request(path);
			if (answer.status === 200) expect(await answer.text()).toBe(INDEX);
			else expect(answer.status).toBe(404);
		}
		expect(await (await request('/console/tenant/"><script>')).text()).toBe(INDEX);
	});

	it("serves its own files only, and only to reads", async () => {
		expect((await request("/console/assets/main.js")).status).toBe(200);
		for (const name of ["../package.json", "..%2fpackage.json", "%2e%2e/package.json", "missing.js"])
			expect(await (await request(`/console/assets/${name}`)).text()).not.toContain('"dependencies"');
		expect((await request("/console/assets/missing.js")).status).toBe(404);
		for (const method of ["POST", "PUT", "DELETE"]) expect((await request("/console", method)).status).toBe(404);
	});
});
