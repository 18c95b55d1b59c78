import { afterEach, describe, expect, it } from "vitest";
import { CLIENT_ADDRESS_HEADER } from "../../src/request/client-address.ts";
import { startEcho } from "../support/echo.ts";
import { AUTH_URL } from "../support/environment.ts";
import { readRaw, sendRaw } from "../support/raw-http.ts";

const CLAIMS = {
	"x-forwarded-for": "6.6.6.6",
	"x-forwarded-host": "evil.test",
	"x-forwarded-proto": "https",
	"x-forwarded-port": "444",
	forwarded: "for=6.6.6.6;host=evil.test",
	"x-real-ip": "6.6.6.6",
	[CLIENT_ADDRESS_HEADER]: "6.6.6.6",
	"x-request-id": "chosen-by-the-caller",
};

describe("forwarded headers", () => {
	let world: Awaited<ReturnType<typeof startEcho>>;
	afterEach(() => world.close());

	it("are dropped from untrusted callers", async () => {
		world = await startEcho();
		const { url, headers, context } = await world.echo("/api/auth/echo", { headers: CLAIMS });
		expect(url).toBe(`http://127.0.0.1:${world.port}/api/auth/echo`);
		expect(headers[CLIENT_ADDRESS_HEADER]).toBe("127.0.0.1");
		expect(headers["x-request-id"]).not.toBe("chosen-by-the-caller");
		expect(context?.requestId).toBe(headers["x-request-id"]);
		expect(Object.keys(headers).filter((name) => /forwarded|real-ip/.test(name))).toEqual([]);
		expect(JSON.stringify(headers)).not.toMatch(/6\.6\.6\.6|evil/);
	});

	it("are trusted from a trusted proxy, except for the internal address header", async () => {
		world = await startEcho({ environment: { TRUSTED_PROXIES: "127.0.0.1/32" } });
		const { url, headers } = await world.echo("/api/auth/echo?a=1", {
			headers: { ...CLAIMS, "x-forwarded-for": "7.7.7.7, 1.2.3.4", "x-forwarded-host": "Acme.example.com" },
		});
		expect(url).toBe("https://acme.example.com/api/auth/echo?a=1");
		expect(headers.host).toBe("acme.example.com");
		expect(headers[CLIENT_ADDRESS_HEADER]).toBe("1.2.3.4");
		expect(headers["x-request-id"]).toBe("chosen-by-the-caller");
	});

	it("tell caches behind a trusted proxy that the response depends on the host", async () => {
		world = await startEcho({ environment: { TRUSTED_PROXIES: "127.0.0.1" } });
		const headers = { "x-forwarded-host": "acme.example.com" };
		expect((await fetch(`${world.url}/api/auth/echo`, { headers })).headers.get("vary")).toContain("X-Forwarded-Host");
	});

	it("uses the last of several values, which the proxy itself added", async () => {
		world = await startEcho({ environment: { TRUSTED_PROXIES: "127.0.0.1" } });
		const { url } = await world.echo("/api/auth/echo", {
			headers: { "x-forwarded-host": "evil.test, auth.example.com", "x-forwarded-proto": "http, https" },
		});
		expect(url).toBe("https://auth.example.com/api/auth/echo");
	});

	it.each(["short", "with space in it", "x".repeat(129), "<script>alert(1)</script>", "sémantique-id"])(
		"creates a new request id for a proxy's %j",
		async (id) => {
			world = await startEcho({ environment: { TRUSTED_PROXIES: "127.0.0.1" } });
			const answer = await sendRaw(
				world.port,
				`GET /livez HTTP/1.1\r\nhost: a\r\nx-request-id: ${id}\r\nconnection: close\r\n\r\n`,
			);
			expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}\r\n/);
		},
	);

	it("uses the scheme of the public URL if no proxy sets one", async () => {
		world = await startEcho({ environment: { AUTH_URL: "https://auth.example.com" } });
		const { url } = await world.echo("/api/auth/echo", { headers: { "x-forwarded-proto": "http" } });
		expect(url).toBe(`https://127.0.0.1:${world.port}/api/auth/echo`);
	});

	it("treats a host with a trailing dot as the same host", async () => {
		world = await startEcho({ environment: { TRUSTED_PROXIES: "127.0.0.1" } });
		for (const [given, host] of [
			["acme.example.com.", "acme.example.com"],
			["Acme.example.com.:8080", "acme.example.com:8080"],
		] as const) {
			const { url, headers } = await world.echo("/api/auth/echo", { headers: { "x-forwarded-host": given } });
			expect([url, headers.host]).toEqual([`http://${host}/api/auth/echo`, host]);
		}
		for (const host of ["acme.example.com..", "acme..example.com", "acme.example.com..:80"]) {
			const headers = { "x-forwarded-host": host };
			expect((await fetch(`${world.url}/api/auth/echo`, { headers })).status).toBe(400);
		}
	});

	it("rejects an invalid host or scheme from a proxy", async () => {
		world = await startEcho({ environment: { TRUSTED_PROXIES: "127.0.0.1" } });
		const claims: Record<string, string>[] = [
			{ "x-forwarded-host": "a b" },
			{ "x-forwarded-host": "a/b" },
			{ "x-forwarded-proto": "gopher" },
		];
		for (const headers of claims) expect((await fetch(`${world.url}/api/auth/echo`, { headers })).status).toBe(400);
	});

	it("uses the public host for HTTP/1.0, which has no Host header", async () => {
		world = await startEcho();
		const { status, body } = readRaw(await sendRaw(world.port, "GET /api/auth/echo HTTP/1.0\r\n\r\n"));
		expect(status).toBe(200);
		expect(body).toMatchObject({ url: `${AUTH_URL}/api/auth/echo` });
	});

	it("takes the tenant from the path, and passes the plain path to the engine", async () => {
		world = await startEcho({ environment: { TENANT_RESOLVER: "path" } });
		const { url, context } = await world.echo("/t/acme/api/auth/echo?a=1");
		expect(url).toBe(`http://127.0.0.1:${world.port}/api/auth/echo?a=1`);
		expect(context?.tenantSlug).toBe("acme");
		expect((await world.echo("/api/auth/echo")).context?.tenantSlug).toBeNull();
		for (const path of ["/t/acme", "/t/Acme/api/auth/echo", "/t/acme/api/other", "/t/acme/t/globex/api/auth/echo"]) {
			const answer = await fetch(`${world.url}${path}`);
			expect(answer.status).toBe(404);
			expect(await answer.json()).toMatchObject({ code: "NOT_FOUND" });
		}
	});

	it("ignores a tenant path if that is not configured", async () => {
		world = await startEcho();
		expect((await fetch(`${world.url}/t/acme/api/auth/echo`)).status).toBe(404);
	});
});
