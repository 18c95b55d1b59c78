import { describe, expect, it, onTestFinished } from "vitest";
import { createBodyRoom } from "../../src/request/body-room.ts";
import { startEcho } from "../support/echo.ts";
import { openRaw } from "../support/raw-http.ts";

const MEGABYTE = 1_048_576;
/** More than there is room for. */
const STALLED = 70;

// threat 79
describe("bodies that are begun and not ended", () => {
	it("give way to a complete one, the oldest first, and never to small ones", async () => {
		const world = await startEcho({
			environment: { BODY_LIMIT: String(MEGABYTE) },
			handler: async (request) => Response.json({ length: (await request.arrayBuffer()).byteLength }),
		});
		onTestFinished(() => world.close());
		const begin = async (bytes: number) => {
			const connection = await openRaw(world.port);
			connection.write(`POST /api/auth/echo HTTP/1.1\r\nhost: a\r\ncontent-length: ${bytes}\r\n\r\n`);
			connection.write("x".repeat(bytes - 1));
			return connection;
		};
		const small = await begin(16_384);
		const stalled: Awaited<ReturnType<typeof begin>>[] = [];
		for (let count = 0; count < STALLED; count += 1) stalled.push(await begin(MEGABYTE));
		await expect.poll(() => stalled[0]?.isClosed(), { timeout: 60_000 }).toBe(true);
		const complete = await fetch(`${world.url}/api/auth/echo`, { method: "POST", body: new Uint8Array(MEGABYTE) });
		expect([complete.status, await complete.json()]).toEqual([200, { length: MEGABYTE }]);
		small.write("x");
		await expect.poll(() => small.received()).toContain('{"length":16384}');
		expect(stalled.at(-1)?.isClosed()).toBe(false);
	});

	it("take no more than the room, whoever leaves first", () => {
		const room = createBodyRoom(0, 100_000);
		const ended: number[] = [];
		const places = [0, 1, 2, 3].map((at) => room.enter(() => ended.push(at)));
		places[0]?.grow(16_384);
		for (const at of [1, 2, 3]) places[at]?.grow(40_000);
		expect(ended).toEqual([1]);
		places[2]?.leave();
		places[3]?.grow(90_000);
		expect(ended).toEqual([1]);
		room.enter(() => ended.push(4)).grow(20_000);
		expect(ended).toEqual([1, 3]);
	});
});
