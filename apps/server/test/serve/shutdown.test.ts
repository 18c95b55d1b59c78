import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { startEcho } from "../support/echo.ts";
import { openRaw } from "../support/raw-http.ts";
import { createWorld, type World } from "../support/world.ts";

describe("graceful shutdown", () => {
	let world: World | undefined;
	afterEach(async () => {
		await world?.close();
		world = undefined;
	});

	const createClosing = (environment: Record<string, string>) => createWorld({ environment });

	it("drops no request of a load balancer that uses /readyz", async () => {
		world = await createClosing({ SHUTDOWN_DELAY: "2" });
		const service = await world.start();
		const load = startLoad(service.port, 10);
		await expect.poll(() => load.done()).toBeGreaterThan(50);
		const closing = service.close();
		// it probes every 100 ms, and the delay is longer
		while ((await service.call("/readyz")).status === 200) await sleep(100);
		await sleep(200);
		load.stop();
		await Promise.all([closing, load.ended]);
		expect(load.failures()).toEqual([]);
		expect(world.log.requests().filter(({ aborted, status }) => aborted || Number(status) >= 500)).toHaveLength(
			world.log.requests().filter(({ route, status }) => route === "/readyz" && status === 503).length,
		);
	});

	it("drops no request on an accepted connection under load, without a delay", async () => {
		const echo = await startEcho({
			handler: async () => {
				await sleep(Math.random() * 30);
				return Response.json({});
			},
		});
		const accepted = new Set<number | undefined>();
		echo.server.on("connection", ({ remotePort }) => {
			if (remotePort !== undefined) accepted.add(remotePort);
		});
		const load = startLoad(echo.port, 40, "/api/auth/echo");
		await expect.poll(() => load.done()).toBeGreaterThan(100);
		echo.connections.sayGoodbye();
		expect(await echo.connections.drain(10_000)).toBe(0);
		await load.ended;
		expect(load.failures()).toHaveLength(40);
		expect(load.failures().filter(({ localPort }) => accepted.has(localPort))).toEqual([]);
	});

	it("is not ready immediately, and serves new and old connections during the delay", async () => {
		world = await createClosing({ SHUTDOWN_DELAY: "5" });
		const service = await world.start();
		const connection = await openRaw(service.port);
		connection.write("GET /readyz HTTP/1.1\r\nhost: a\r\n\r\n");
		await expect.poll(() => connection.received()).toContain('"ok"');
		expect(connection.received().toLowerCase()).toContain("connection: keep-alive");

		const closing = service.close();
		connection.write("GET /readyz HTTP/1.1\r\nhost: a\r\n\r\n");
		await expect.poll(() => connection.received()).toContain("HTTP/1.1 503");
		expect(connection.received().toLowerCase()).toContain("connection: close");
		expect(connection.received()).toContain('"shutdown":"closing"');
		await sleep(300);
		expect((await service.call("/livez")).status).toBe(200);
		expect((await service.call("/api/auth/get-session")).status).toBe(200);
		await closing;
		await expect(service.call("/livez")).rejects.toThrow();
	});

	it("completes requests in flight, then closes", async () => {
		let open = (): void => {};
		const gate = new Promise<void>((resolve) => {
			open = resolve;
		});
		const echo = await startEcho({
			handler: async () => {
				await gate;
				return Response.json({ done: true });
			},
		});
		const underWay = await openRaw(echo.port);
		underWay.write("GET /api/auth/echo HTTP/1.1\r\nhost: a\r\n\r\n");
		const halfSent = await openRaw(echo.port);
		halfSent.write("GET /livez HTTP/1.1\r\n");
		const idle = await openRaw(echo.port);
		await sleep(100);

		echo.connections.sayGoodbye();
		const drained = echo.connections.drain(20_000);
		await expect.poll(() => idle.isClosed()).toBe(true);
		await sleep(300);
		expect([underWay.isClosed(), halfSent.isClosed()]).toEqual([false, false]);
		open();
		halfSent.write("host: a\r\n\r\n");
		expect(await drained).toBe(0);
		await expect.poll(() => underWay.received()).toContain('{"done":true}');
		expect(underWay.received().toLowerCase()).toContain("connection: close");
		await expect.poll(() => halfSent.received()).toContain("200 OK");
	});

	it("serves a request on an idle connection just after the port is closed", async () => {
		const echo = await startEcho();
		const connection = await openRaw(echo.port);
		connection.write("GET /livez HTTP/1.1\r\nhost: a\r\n\r\n");
		await expect.poll(() => connection.received()).toContain("200 OK");
		echo.connections.sayGoodbye();
		const drained = echo.connections.drain(10_000);
		while (echo.server.listening) await new Promise((resolve) => setImmediate(resolve));
		connection.write("GET /api/auth/echo HTTP/1.1\r\nhost: a\r\n\r\n");
		expect(await drained).toBe(0);
		await expect.poll(() => connection.received().match(/200 OK/g)).toHaveLength(2);
	});

	it("serves the second of two pipelined requests after the first", async () => {
		let asked = 0;
		const echo = await startEcho({
			handler: async () => {
				asked += 1;
				if (asked === 2) await sleep(1500);
				return Response.json({ asked });
			},
		});
		const connection = await openRaw(echo.port);
		connection.write("GET /api/auth/echo HTTP/1.1\r\nhost: a\r\n\r\n".repeat(2));
		await expect.poll(() => connection.received()).toContain("200 OK");
		const drained = echo.connections.drain(10_000);
		expect(await drained).toBe(0);
		await expect.poll(() => connection.received().match(/200 OK/g)).toHaveLength(2);
	});

	it("completes a long response", async () => {
		const echo = await startEcho({ handler: async () => new Response("x".repeat(8_000_000)) });
		const connection = await openRaw(echo.port);
		connection.socket.pause();
		connection.write("GET /api/auth/echo HTTP/1.1\r\nhost: a\r\n\r\n");
		await sleep(300);
		echo.connections.sayGoodbye();
		const drained = echo.connections.drain(10_000);
		await sleep(1000);
		connection.socket.resume();
		expect(await drained).toBe(0);
		await expect.poll(() => connection.received().length).toBeGreaterThan(8_000_000);
	});

	it("cuts off requests that take too long, and logs it", async () => {
		const echo = await startEcho({ handler: () => new Promise(() => {}) });
		const connection = await openRaw(echo.port);
		connection.write("GET /api/auth/echo HTTP/1.1\r\nhost: a\r\n\r\n");
		await sleep(100);
		expect(await echo.connections.drain(300)).toBe(1);
		await expect.poll(() => connection.isClosed()).toBe(true);
	});
});

/** Callers that send requests on persistent connections until they are stopped or one fails. */
const startLoad = (port: number, callers: number, path = "/api/auth/get-session") => {
	const agent = new Agent({ keepAlive: true, maxSockets: callers });
	let done = 0;
	let isStopped = false;
	const failures: { problem: string; localPort: number | undefined }[] = [];
	const ask = (): Promise<boolean> =>
		new Promise((resolve) => {
			let localPort: number | undefined;
			const fail = (problem: string): void => {
				failures.push({ problem, localPort });
				resolve(false);
			};
			const sent = request({ port, host: "127.0.0.1", path, agent }, (answer) => {
				answer.resume().once("close", () => {
					if (!answer.complete || answer.statusCode !== 200) return fail(`cut off, ${answer.statusCode}`);
					done += 1;
					resolve(true);
				});
			});
			sent.once("socket", (socket) => {
				// only once connected: a refused connection may have reused the port of one that ended
				const rememberPort = (): void => {
					localPort = socket.localPort;
				};
				if (socket.connecting) socket.once("connect", rememberPort);
				else rememberPort();
			});
			sent.once("error", (error: NodeJS.ErrnoException) => fail(error.code ?? error.message)).end();
		});
	const run = async (): Promise<void> => {
		for (let succeeds = true; succeeds && !isStopped; ) succeeds = await ask();
	};
	const ended = Promise.all(Array.from({ length: callers }, run)).finally(() => agent.destroy());
	return {
		done: () => done,
		failures: () => failures,
		stop: () => {
			isStopped = true;
		},
		ended,
	};
};
