import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createWorld } from "test-kit/world";
import { expect, it } from "vitest";
import { readTag, withTag } from "../../src/scope/pin/tag.ts";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");
const heldMegabytes = (): number => {
	collect();
	return process.memoryUsage().heapUsed / 2 ** 20;
};

/** One collection may keep objects that wait for finalization; leaked ones stay. */
const expectHeld = (before: number, most: number) =>
	expect.poll(() => heldMegabytes() - before, { timeout: 10_000, interval: 100 }).toBeLessThan(most);

const MEGABYTE = "A".repeat(2 ** 20);
/** A flat string, as it comes from a request. */
const sent = (made: string): string => JSON.parse(JSON.stringify(withTag(MEGABYTE, made)));

// V8's `slice` keeps the whole string alive, so cache keys would hold the text they were cut from
it("a cached tag does not retain the value before it", async () => {
	const before = heldMegabytes();
	for (let at = 0; at < 60; at++) expect(readTag(sent(`made-up-tenant-${at}`))?.tenantId).toBe(`made-up-tenant-${at}`);
	await expectHeld(before, 10);
});

it("long reset tokens of invented tenants do not fill the memory", async () => {
	const world = await createWorld({ tenantAuth: { limits: { bodies: { "/reset-password": 2 ** 21 } } } });
	const post = async (token: string): Promise<number> => {
		const response = await world.auth.handler(
			new Request("http://localhost:3000/api/auth/reset-password", {
				method: "POST",
				headers: { origin: "http://localhost:3000", "content-type": "application/json" },
				body: JSON.stringify({ token, newPassword: "another password" }),
			}),
		);
		return response.status;
	};
	await post(sent("the-first-made-up"));
	world.logs.length = 0;
	const before = heldMegabytes();
	for (let at = 0; at < 40; at++) expect(await post(sent(`posted-tenant-${at}`))).toBe(400);
	world.logs.length = 0;
	await expectHeld(before, 10);
});

it("long cookies do not fill the memory", async () => {
	const world = await createWorld();
	const before = heldMegabytes();
	for (let at = 0; at < 500; at++) {
		const padding = "A".repeat(15_000);
		const headers = new Headers({
			cookie: `pad=${padding}; better-auth.session_token=${withTag("x", `cookie-tenant-${at}`)}.signature`,
		});
		await world.auth.handler(new Request("http://localhost:3000/api/auth/get-session", { headers }));
	}
	world.logs.length = 0;
	// 500 headers are 7 MB
	await expectHeld(before, 4);
});
