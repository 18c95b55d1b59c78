import { bearer } from "better-auth/plugins";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ada, createLimited, knock, signIn, statuses } from "./limited-world.ts";

afterEach(() => {
	vi.useRealTimers();
});

// threat 63
describe("limits.perTenant", () => {
	it("counts requests from all addresses and on all paths, without affecting other tenants", async () => {
		const { world, a, b } = await createLimited({ perTenant: { window: 600, max: 3 } });
		expect((await knock(world, "/get-session", { tenant: a })).status).toBe(200);
		expect((await signIn(world, a, ada)).status).toBe(401);
		expect((await signIn(world, a, ada, "/tenant/sign-in/email")).status).toBe(401);
		const refused = await knock(world, "/get-session", { tenant: a });
		expect(refused.status).toBe(429);
		expect(refused.code).toBe("TOO_MANY_REQUESTS");
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(refused.headers.get("x-retry-after")).toBe(refused.headers.get("retry-after"));
		expect(await statuses(3, () => knock(world, "/get-session", { tenant: b }))).toEqual([200, 200, 200]);
	});

	it("admits exactly `max` requests per tenant when many arrive at once", async () => {
		const { world, a, b } = await createLimited({ perTenant: { window: 600, max: 7 } });
		const send = (tenant: string) => knock(world, "/get-session", { tenant });
		const responses = await Promise.all(Array.from({ length: 60 }, (_, number) => send(number % 2 ? a : b)));
		expect(responses.filter(({ status }) => status === 200)).toHaveLength(14);
		expect(responses.filter(({ status }) => status === 429)).toHaveLength(46);
	});

	it("starts again with the next window", async () => {
		vi.useFakeTimers({ toFake: ["Date"] });
		const { world, a } = await createLimited({ perTenant: { window: 600, max: 2 } });
		const send = () => knock(world, "/get-session", { tenant: a });
		expect(await statuses(3, send)).toEqual([200, 200, 429]);
		vi.setSystemTime(Date.now() + 598_000);
		expect(await statuses(1, send)).toEqual([429]);
		vi.setSystemTime(Date.now() + 2_001);
		expect(await statuses(3, send)).toEqual([200, 200, 429]);
	});

	it("does not count management requests and server calls, nor anything if rate limits are off", async () => {
		const { world, a } = await createLimited({ perTenant: { window: 600, max: 1 } });
		const managed = () => knock(world, "/tenant/get", { operator: true, query: { id: a } });
		expect(await statuses(3, managed)).toEqual([200, 200, 200]);
		const headers = new Headers({ "x-tenant-id": a });
		for (let number = 0; number < 3; number += 1) expect(await world.auth.api.getSession({ headers })).toBeNull();
		expect(await statuses(2, () => knock(world, "/get-session", { tenant: a }))).toEqual([200, 429]);
		(await world.auth.$context).rateLimit.enabled = false;
		expect(await statuses(2, () => knock(world, "/get-session", { tenant: a }))).toEqual([200, 200]);
	});

	it("returns 503 if the storage fails, and never reads a count as a session", async () => {
		const counts = new Map<string, unknown>();
		let isBroken = false;
		const world = await createLimited(
			{ perTenant: { window: 600, max: 50 } },
			{
				engine: {
					session: { storeSessionInDatabase: true },
					secondaryStorage: {
						get: async (key) => counts.get(key) ?? null,
						set: async (key, value) => void counts.set(key, value),
						delete: async (key) => void counts.delete(key),
						getAndDelete: async () => null,
						increment: async (key) => {
							if (isBroken && key.includes("limit.")) throw new Error("the storage is gone");
							const count = Number(counts.get(key) ?? 0) + 1;
							counts.set(key, count);
							return count;
						},
					},
				},
				plugins: [bearer()],
			},
		);
		expect((await signIn(world.world, world.a, ada)).status).toBe(401);
		const key = [...counts.keys()].find((name) => name.endsWith(`tenant:${world.a}`)) ?? "";
		const token = key.slice(key.indexOf("limit"));
		for (const sent of [token, key]) {
			const headers = { authorization: `Bearer ${sent}` };
			const looked = await knock(world.world, "/get-session", { tenant: world.a, headers });
			expect([looked.status, looked.json]).toEqual([200, null]);
		}
		isBroken = true;
		const refused = await signIn(world.world, world.a, ada);
		expect([refused.status, refused.code]).toEqual([503, "STORE_UNAVAILABLE"]);
		expect(refused.headers.get("cache-control")).toBe("no-store");
	});
});
