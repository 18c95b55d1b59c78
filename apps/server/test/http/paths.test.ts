import { describe, expect, it } from "vitest";
import { createPaths } from "../../src/request/paths.ts";

describe("the path of a target", () => {
	const plain = createPaths("/api/auth", null);
	const byPath = createPaths("/api/auth", "/t/:tenant");

	it("is below the base path, with its query", () => {
		const place = { path: "/sign-in/email", tenantSlug: null, target: "/api/auth/sign-in/email?a=1" };
		expect(plain("/api/auth/sign-in/email?a=1")).toEqual(place);
		expect(byPath("/api/auth/sign-in/email?a=1")).toEqual(place);
	});

	it("is the same below a tenant path, which names the tenant", () => {
		expect(byPath("/t/acme/api/auth/get-session?b=2")).toEqual({
			path: "/get-session",
			tenantSlug: "acme",
			target: "/api/auth/get-session?b=2",
		});
	});

	it("is null below a tenant path if tenant paths are not configured", () => {
		expect(plain("/t/acme/api/auth/get-session")).toBeNull();
	});

	it.each([
		"/",
		"/api/auth",
		"/api/authors/list",
		"/t/acme/api/authors",
		"/t//api/auth/get-session",
		"/t/Acme/api/auth/get-session",
		"/t/a%63me/api/auth/get-session",
		"/t/acme%2Fapi/auth/get-session",
		"/t/../api/auth/get-session/../../../x",
		"/t/acme/t/globex/api/auth/get-session",
		"/%74/acme/api/auth/get-session",
		"//t/acme/api/auth/get-session",
		"/t/-acme/api/auth/get-session",
	])("%s does not belong to the engine", (target) => {
		expect(byPath(target)).toBeNull();
	});

	it("resolves dots before matching", () => {
		expect(byPath("/t/acme/../globex/api/auth/ok")?.tenantSlug).toBe("globex");
		expect(byPath("/t/acme/api/auth/%2e%2e/%2e%2e/%2e%2e/globex/api/auth/ok")?.tenantSlug).toBe("globex");
	});
});
