import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEcho } from "../support/echo.ts";

const PUBLIC = "https://auth.example.com";

describe("calls from pages", () => {
	let world: Awaited<ReturnType<typeof startEcho>>;
	beforeAll(async () => {
		world = await startEcho({
			environment: { AUTH_URL: PUBLIC, TRUSTED_ORIGINS: "https://app.example.com,https://*.tenants.example.com" },
			handler: async () => Response.json({}, { headers: { "access-control-allow-origin": "*" } }),
		});
	});
	afterAll(() => world.close());

	const ask = (origin: string | null, init: RequestInit = {}): Promise<Response> =>
		fetch(`${world.url}/api/auth/echo`, { ...init, headers: { ...init.headers, ...(origin ? { origin } : {}) } });
	const preflight = (origin: string): Promise<Response> =>
		ask(origin, {
			method: "OPTIONS",
			headers: {
				"access-control-request-method": "POST",
				"access-control-request-headers": "content-type,x-tenant-id",
			},
		});

	it.each([PUBLIC, "https://app.example.com", "https://acme.tenants.example.com"])(
		"are allowed from %s",
		async (origin) => {
			const { headers } = await ask(origin);
			expect(headers.get("access-control-allow-origin")).toBe(origin);
			expect(headers.get("access-control-allow-credentials")).toBe("true");
			expect(headers.get("access-control-expose-headers")).toContain("x-request-id");
			expect(headers.get("vary")).toContain("Origin");

			const asked = await preflight(origin);
			expect(asked.status).toBe(204);
			expect(asked.headers.get("access-control-allow-origin")).toBe(origin);
			expect(asked.headers.get("access-control-allow-credentials")).toBe("true");
			expect(asked.headers.get("access-control-allow-methods")).toContain("POST");
			expect(asked.headers.get("access-control-allow-headers")).toBe("content-type,x-tenant-id");
			expect(asked.headers.get("vary")).toContain("Origin");
		},
	);

	it.each(["https://evil.test", "null", "http://app.example.com", "https://app.example.com.evil.test"])(
		"are not allowed from %s, even if the engine allows them",
		async (origin) => {
			const { headers } = await ask(origin);
			expect(headers.get("access-control-allow-origin")).toBeNull();
			expect(headers.get("access-control-allow-credentials")).toBeNull();
			expect(headers.get("vary")).toContain("Origin");

			const asked = await preflight(origin);
			expect(asked.status).toBe(403);
			expect(await asked.json()).toMatchObject({ code: "ORIGIN_NOT_ALLOWED" });
			expect([...asked.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
		},
	);

	it("set Vary: Origin for caches, also without an origin", async () => {
		const { headers } = await ask(null);
		expect(headers.get("vary")).toContain("Origin");
		expect(headers.get("access-control-allow-origin")).toBeNull();
	});
});

it("lets pages of the platform call the platform, and not a tenant's host, whose cookies are other people's", async () => {
	const world = await startEcho({
		environment: {
			AUTH_URL: PUBLIC,
			TRUSTED_ORIGINS: "https://app.example.com",
			TENANT_RESOLVER: "subdomain",
			TENANT_DOMAIN: "app.example.com",
			TRUSTED_PROXIES: "127.0.0.1",
			PLATFORM_HOSTS: "auth.internal",
		},
	});
	const allowed = async (host: string, origin: string) => {
		const { headers } = await fetch(`${world.url}/api/auth/echo`, {
			headers: { origin, "x-forwarded-host": host, "x-forwarded-proto": "https" },
		});
		return headers.get("access-control-allow-origin");
	};
	try {
		for (const host of ["auth.example.com", "auth.internal"]) expect(await allowed(host, PUBLIC)).toBe(PUBLIC);
		expect(await allowed("acme.app.example.com", PUBLIC)).toBeNull();
		expect(await allowed("acme.app.example.com", "https://app.example.com")).toBe("https://app.example.com");
	} finally {
		await world.close();
	}
});
