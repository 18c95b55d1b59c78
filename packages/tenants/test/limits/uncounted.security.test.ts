import { createTenantHandler } from "better-auth-tenants";
import { createWorld, ORIGIN, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { refuseIfLate } from "../../src/load/limits/refuse.ts";
import { ada, newAddress } from "./limited-world.ts";

it("refuses a request that cannot be counted", async () => {
	const failing = async (): Promise<number> => {
		throw new Error("the store is down");
	};
	await expect(refuseIfLate(failing, "acme")).rejects.toMatchObject({
		status: "SERVICE_UNAVAILABLE",
		body: { code: "STORE_UNAVAILABLE" },
	});
	await expect(refuseIfLate(async () => 0, "acme")).resolves.toBeUndefined();
});

const FULL = "OOM command not allowed when used memory > 'maxmemory'";

/** A storage that refuses writes, or only those of some keys, as a full Redis does. */
const createFull = async (more: { ownCounters?: boolean } = {}) => {
	const values = new Map<string, string>();
	let isFull = (_key: string): boolean => false;
	const write = (key: string, value: string): void => {
		if (isFull(key)) throw new Error(FULL);
		values.set(key, value);
	};
	const increment = async (key: string): Promise<number> => {
		write(key, String(Number(values.get(key) ?? 0) + 1));
		return Number(values.get(key));
	};
	const world = await createWorld({
		engine: {
			session: { storeSessionInDatabase: true },
			secondaryStorage: {
				get: async (key) => values.get(key) ?? null,
				set: async (key, value) => write(key, value),
				delete: async (key) => void values.delete(key),
				getAndDelete: async (key) => values.get(key) ?? null,
				increment,
			},
			rateLimit: {
				enabled: true,
				max: 1_000,
				...(more.ownCounters
					? {
							customStorage: {
								consume: async (key: string) => ({ allowed: (await increment(key)) < 1_000, retryAfter: null }),
							},
						}
					: { storage: "secondary-storage" as const }),
			},
		},
	});
	const [a, b] = [await world.newTenant(), await world.newTenant()];
	for (const tenant of [a, b]) await world.signUp(tenant, ada);
	const handlers = {
		engine: world.auth.fetch,
		ours: createTenantHandler({ ...world.auth, handler: world.auth.fetch }),
	};
	const send = async (handler: keyof typeof handlers, path: string, tenant: string, body?: object) => {
		const request = new Request(`${ORIGIN}/api/auth${path}`, {
			method: body ? "POST" : "GET",
			headers: {
				origin: ORIGIN,
				"content-type": "application/json",
				"x-tenant-id": tenant,
				"x-forwarded-for": newAddress(),
			},
			body: body ? JSON.stringify(body) : null,
		});
		const response = await handlers[handler](request);
		const text = await response.text();
		expect(text).not.toContain("OOM");
		return { status: response.status, code: text ? JSON.parse(text)?.code : undefined, headers: response.headers };
	};
	return {
		world,
		a,
		b,
		send,
		fill: (when: (key: string) => boolean): void => {
			isFull = when;
		},
	};
};

// threat 160
describe.each(["engine", "ours"] as const)("a full storage, by the handler: %s", (handler) => {
	const REQUESTS = [
		["/sign-in/email", { email: ada, password: PASSWORD }],
		["/sign-up/email", { email: "bob@example.com", name: "Bob", password: PASSWORD }],
		["/request-password-reset", { email: ada, redirectTo: "/" }],
		["/sign-out", {}],
		["/get-session", undefined],
		["/no-such-endpoint", undefined],
	] as const;

	it.each([{}, { ownCounters: true }])("returns 503 for every request that it cannot count: %o", async (more) => {
		const { world, a, b, send, fill } = await createFull(more);
		fill(() => true);
		for (const [path, body] of REQUESTS)
			for (const tenant of [a, b]) {
				const { status, code, headers } = await send(handler, path, tenant, body);
				expect([path, status, code]).toEqual([path, 503, "STORE_UNAVAILABLE"]);
				expect([headers.get("retry-after"), headers.get("cache-control")]).toEqual(["1", "no-store"]);
			}
		expect(world.logs.join("\n")).toContain(FULL);
		fill(() => false);
		expect((await send(handler, "/sign-in/email", a, { email: ada, password: PASSWORD })).status).toBe(200);
	});

	it("refuses only the requests that it cannot count, of many at once", async () => {
		const { a, b, send, fill } = await createFull();
		let counted = 0;
		fill((key) => key.includes("|") && ++counted % 2 === 0);
		const seen = await Promise.all(
			Array.from({ length: 40 }, (_, number) => send(handler, "/get-session", number % 4 < 2 ? a : b)),
		);
		expect(seen.filter(({ status }) => status === 503)).toHaveLength(20);
		expect(seen.filter(({ status }) => status === 200)).toHaveLength(20);
	});
});
