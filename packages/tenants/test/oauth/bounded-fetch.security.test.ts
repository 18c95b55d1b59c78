import { type HostileProvider, json, startHostileProvider } from "test-kit/hostile-provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withBoundedFetch } from "../../src/features/oauth/bounded-fetch.ts";

let server: HostileProvider;
let hits = 0;
beforeAll(async () => {
	server = await startHostileProvider();
});
afterAll(() => server.close());

const bounded = <Result>(run: () => Promise<Result>, { seconds = 5, publicHostsOnly = false } = {}): Promise<Result> =>
	withBoundedFetch({ signal: AbortSignal.timeout(seconds * 1000), publicHostsOnly }, run);

describe("bounded fetch", () => {
	// threat 23
	it("calls no private address, behind any name", async () => {
		server.user = (request, response) => {
			hits += 1;
			return json({})(request, response);
		};
		const port = new URL(server.origin).port;
		for (const host of ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1"]) {
			await expect(bounded(() => fetch(`http://${host}:${port}/user`), { publicHostsOnly: true })).rejects.toThrow();
			await expect(
				bounded(() => fetch(new URL(`http://${host}:${port}/user`)), { publicHostsOnly: true }),
			).rejects.toThrow();
			await expect(
				bounded(() => fetch(new Request(`http://${host}:${port}/user`)), { publicHostsOnly: true }),
			).rejects.toThrow();
		}
		expect(hits).toBe(0);
		expect((await bounded(() => fetch(`${server.origin}/user`))).status).toBe(200);
		expect(hits).toBe(1);
	});

	// threat 23
	it("follows no redirect", async () => {
		server.token = (_request, response) => {
			response.writeHead(302, { location: `${server.origin}/user` });
			response.end();
		};
		const before = hits;
		expect((await bounded(() => fetch(`${server.origin}/token`))).status).toBe(302);
		expect((await bounded(() => fetch(`${server.origin}/token`, { redirect: "follow" }))).status).toBe(302);
		expect(hits).toBe(before);
	});

	// threat 28
	it("reads at most 1 MB, and stops at the deadline, even inside a body", async () => {
		server.user = json("x".repeat(900_000));
		expect((await bounded(async () => (await fetch(`${server.origin}/user`)).text())).length).toBe(900_000);
		server.user = json("x".repeat(1_100_000));
		await expect(bounded(async () => (await fetch(`${server.origin}/user`)).text())).rejects.toThrow("too long");
		server.user = (_request, response) => void response.writeHead(200).write("first");
		await expect(bounded(async () => (await fetch(`${server.origin}/user`)).text(), { seconds: 0.2 })).rejects.toThrow(
			/aborted|timeout/i,
		);
	});

	it("leaves other calls unchanged", async () => {
		server.user = json("x".repeat(1_100_000));
		const inside = bounded(async () => {
			await new Promise((resolve) => setTimeout(resolve, 100));
			return fetch(`${server.origin}/token`, { redirect: "follow" });
		});
		server.token = (_request, response) => {
			response.writeHead(302, { location: `${server.origin}/user` });
			response.end();
		};
		const outside = await fetch(`${server.origin}/token`);
		expect([outside.status, outside.redirected, (await outside.text()).length]).toEqual([200, true, 1_100_000]);
		expect((await inside).status).toBe(302);
	});
});
