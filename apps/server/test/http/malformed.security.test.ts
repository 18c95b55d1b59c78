import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEcho } from "../support/echo.ts";
import { openRaw, readRaw, sendRaw } from "../support/raw-http.ts";

const request = (target: string, ...headers: string[]): string =>
	[`GET ${target} HTTP/1.1`, ...headers, "connection: close", "", ""].join("\r\n");

describe("malformed requests", () => {
	let world: Awaited<ReturnType<typeof startEcho>>;
	beforeAll(async () => {
		world = await startEcho({ environment: { REQUEST_TIMEOUT: "1" } });
	});
	afterAll(() => world.close());

	it.each([
		["no host", request("/api/auth/echo")],
		["an empty host", request("/api/auth/echo", "host:")],
		["a host with a space", request("/api/auth/echo", "host: a b")],
		["a host with a path", request("/api/auth/echo", "host: a/b")],
		["a host with a user", request("/api/auth/echo", "host: me@a")],
		["a host that is half an address", request("/api/auth/echo", "host: 1.2.3.999")],
		["a host that is not valid IPv6", request("/api/auth/echo", "host: [::1")],
		["a host with an invalid port", request("/api/auth/echo", "host: a:99999")],
		["a host with markup", request("/api/auth/echo", 'host: "><script>')],
		["two hosts", request("/api/auth/echo", "host: a", "host: b")],
		["an absolute target", request("http://evil.test/api/auth/echo", "host: a")],
		["an absolute target over TLS", request("https://evil.test/api/auth/echo", "host: a")],
		["a target that is not a path", request("api/auth/echo", "host: a")],
		["the whole server", "OPTIONS * HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"],
		["a backslash in the path", request("/api\\auth/echo", "host: a")],
		["a TRACE", "TRACE /api/auth/echo HTTP/1.1\r\nhost: a\r\ncookie: a=canary\r\nconnection: close\r\n\r\n"],
		["no HTTP at all", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
		["an unknown method", "FOO / HTTP/1.1\r\nhost: a\r\n\r\n"],
		["a header with a NUL", request("/api/auth/echo", "host: a", "x: a\0b")],
		["an invalid length", "POST /api/auth/echo HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n"],
		["two lengths", "POST /api/auth/echo HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
		[
			"a length and chunks (request smuggling)",
			"POST /api/auth/echo HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
		],
		["an invalid chunk", "POST /api/auth/echo HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nab\r\n"],
	])("%s: 400", async (_, bytes) => {
		const { status, body, head } = readRaw(await sendRaw(world.port, bytes));
		expect(status).toBe(400);
		expect(body).toMatchObject({ code: "MALFORMED_REQUEST" });
		expect(head).not.toContain("canary");
		expect(JSON.stringify(body)).not.toMatch(/canary|evil/);
		expect((await fetch(`${world.url}/livez`)).status).toBe(200);
	});

	it("a CONNECT: the connection is closed", async () => {
		expect(await sendRaw(world.port, "CONNECT evil.test:443 HTTP/1.1\r\nhost: evil.test\r\n\r\n")).not.toContain(
			" 200 ",
		);
		expect((await fetch(`${world.url}/livez`)).status).toBe(200);
	});

	it("endless headers: 431", async () => {
		const { status, body } = readRaw(await sendRaw(world.port, request("/", "host: a", `x: ${"a".repeat(20_000)}`)));
		expect(status).toBe(431);
		expect(body).toMatchObject({ code: "HEADERS_TOO_LARGE" });
	});

	it("incomplete headers: 408 after the timeout", async () => {
		const { status, body } = readRaw(await sendRaw(world.port, "GET /livez HTTP/1.1\r\nhost: a\r\n", 5000));
		expect(status).toBe(408);
		expect(body).toMatchObject({ code: "REQUEST_TIMEOUT" });
	});

	it("a silent connection: closed after the timeout", async () => {
		const connection = await openRaw(world.port);
		await expect.poll(() => connection.isClosed(), { timeout: 60_000 }).toBe(true);
	});

	it("a body sent byte by byte: 408 after the timeout, and the engine is not called", async () => {
		const connection = await openRaw(world.port);
		connection.write("POST /api/auth/echo HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n");
		const drip = setInterval(() => connection.write("x"), 50);
		await expect.poll(() => connection.isClosed(), { timeout: 60_000 }).toBe(true);
		clearInterval(drip);
		expect(readRaw(connection.received())).toMatchObject({ status: 408, body: { code: "REQUEST_TIMEOUT" } });
		await expect.poll(() => world.log.requests().at(-1)).toMatchObject({ route: "/echo", status: 499, aborted: true });
	});

	it("a caller that hangs up during the body: only a log line", async () => {
		const connection = await openRaw(world.port);
		connection.write("POST /api/auth/echo HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\nxxx");
		await new Promise((resolve) => setTimeout(resolve, 100));
		const before = world.log.requests().length;
		connection.socket.resetAndDestroy();
		await expect.poll(() => world.log.requests().length).toBe(before + 1);
		expect(world.log.requests().at(-1)).toMatchObject({ route: "/echo", status: 499 });
		expect(world.log.lines().filter(({ level }) => level === "error")).toEqual([]);
	});

	it("a caller that closes its side after the request gets the response", async () => {
		const connection = await openRaw(world.port);
		connection.socket.end("GET /api/auth/echo HTTP/1.1\r\nhost: a\r\n\r\n");
		await expect.poll(() => connection.received()).toContain("200 OK");
	});
});
