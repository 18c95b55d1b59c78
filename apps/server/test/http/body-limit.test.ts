import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { startEcho } from "../support/echo.ts";
import { openRaw, readRaw, sendRaw } from "../support/raw-http.ts";

const LIMIT = 2048;
/** of src/request/read-body.ts */
const DISCARD_MS = 500;

describe("the body limit", () => {
	let world: Awaited<ReturnType<typeof startEcho>>;
	let asked = 0;
	beforeAll(async () => {
		world = await startEcho({
			environment: { BODY_LIMIT: String(LIMIT) },
			handler: async (request) => {
				asked += 1;
				return Response.json({ length: (await request.arrayBuffer()).byteLength, isNull: request.body === null });
			},
		});
	});
	afterAll(() => world.close());

	const chunked = (bytes: number): RequestInit & { duplex: "half" } => ({
		method: "POST",
		duplex: "half",
		body: new ReadableStream({
			start: (controller) => {
				for (let left = bytes; left > 0; left -= 512) controller.enqueue(new Uint8Array(Math.min(512, left)));
				controller.close();
			},
		}),
	});

	it("accepts a body of exactly the limit, with and without a length", async () => {
		for (const init of [{ method: "POST", body: new Uint8Array(LIMIT) }, chunked(LIMIT)]) {
			const answer = await fetch(`${world.url}/api/auth/echo`, init);
			expect(await answer.json()).toEqual({ length: LIMIT, isNull: false });
		}
	});

	it("passes on no body if there is none", async () => {
		for (const init of [{ method: "POST" }, { method: "POST", body: "" }, { method: "GET" }, chunked(0)]) {
			const answer = await fetch(`${world.url}/api/auth/echo`, init);
			expect(await answer.json()).toEqual({ length: 0, isNull: true });
		}
	});

	it("returns 413 for a larger length before the body is sent", async () => {
		const before = asked;
		const { status, body } = readRaw(
			await sendRaw(world.port, `POST /api/auth/echo HTTP/1.1\r\nhost: a\r\ncontent-length: ${LIMIT + 1}\r\n\r\n`),
		);
		expect(status).toBe(413);
		expect(body).toMatchObject({ code: "PAYLOAD_TOO_LARGE", requestId: expect.any(String) });
		expect(asked).toBe(before);
	});

	// threat 79: each chunk is an object, no matter how small
	it("rejects a body of one-byte chunks long before the limit, and accepts a short one", async () => {
		const sent = (chunks: number) =>
			sendRaw(
				world.port,
				`POST /api/auth/echo HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(chunks)}0\r\n\r\n`,
			);
		expect(readRaw(await sent(500))).toMatchObject({ status: 200, body: { length: 500 } });
		expect(readRaw(await sent(1100)).status).toBe(413);
	});

	it("cuts off a chunked body at the limit, without waiting for its end", async () => {
		const before = asked;
		const connection = await openRaw(world.port);
		connection.write("POST /api/auth/echo HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n");
		const chunk = `400\r\n${"x".repeat(0x400)}\r\n`;
		connection.write(chunk + chunk);
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(connection.received()).toBe("");
		connection.write(chunk);
		await expect.poll(() => connection.received()).toContain("HTTP/1.1 413");
		expect(readRaw(connection.received()).body).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
		await expect.poll(() => connection.isClosed(), { timeout: 60_000 }).toBe(true);
		expect(asked).toBe(before);
	});

	it("announces that it closes the connection, and serves no more requests on it", async () => {
		const chunk = `400\r\n${"x".repeat(0x400)}\r\n`;
		const livez = "GET /livez HTTP/1.1\r\nhost: a\r\n\r\n";
		const setTimer = globalThis.setTimeout;
		// a complete body needs no more waiting: if it did, the timer that ends the waiting would never fire here
		const held = vi
			.spyOn(globalThis, "setTimeout")
			.mockImplementation(((run: () => void, delay?: number) =>
				setTimer(run, delay === DISCARD_MS ? 2 ** 31 - 1 : delay)) as typeof setTimeout);
		onTestFinished(() => held.mockRestore());
		for (const request of [
			`transfer-encoding: chunked\r\n\r\n${chunk.repeat(4)}0\r\n\r\n`,
			`content-length: ${LIMIT + 1}\r\n\r\n${"x".repeat(LIMIT + 1)}`,
		]) {
			const bytes = `POST /api/auth/echo HTTP/1.1\r\nhost: a\r\n${request}${livez}`;
			// until the server closes it
			const answer = await sendRaw(world.port, bytes, 2 ** 31 - 1);
			expect(readRaw(answer).head).toContain("connection: close");
			expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
		}
	});

	it("lets a caller that is still sending read the response", async () => {
		for (const init of [{ method: "POST", body: new Uint8Array(4_000_000) }, chunked(4_000_000)]) {
			const answer = await fetch(`${world.url}/api/auth/echo`, init);
			expect(answer.status).toBe(413);
			expect(await answer.json()).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
		}
	});

	it("closes the connection of an endless body", async () => {
		const connection = await openRaw(world.port);
		connection.write("POST /api/auth/echo HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n");
		const flood = setInterval(() => connection.write(`10000\r\n${"x".repeat(0x10000)}\r\n`), 5);
		await expect.poll(() => connection.isClosed(), { timeout: 60_000 }).toBe(true);
		clearInterval(flood);
		expect(connection.received()).toContain("HTTP/1.1 413");
		expect((await fetch(`${world.url}/livez`)).status).toBe(200);
	});

	it("rejects a large body on an unknown path too, without reading it", async () => {
		const { status } = readRaw(
			await sendRaw(world.port, `POST /api/auth/nothing HTTP/1.1\r\nhost: a\r\ncontent-length: ${LIMIT + 1}\r\n\r\n`),
		);
		expect(status).toBe(413);
	});
});
