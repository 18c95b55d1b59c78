import { createAuthMiddleware } from "better-auth/api";
import { createWorld, MANAGEMENT_KEY, ORIGIN, PASSWORD } from "test-kit/world";
import { expect, it, vi } from "vitest";

/** A world that compares one password at a time, until `release` is called. One more request per tenant may wait. */
const createHeldWorld = async () => {
	let release = () => {};
	const released = new Promise<void>((resolve) => {
		release = resolve;
	});
	const seen = { comparing: 0, hooks: 0 };
	const world = await createWorld({
		tenantAuth: {
			management: { keys: [MANAGEMENT_KEY] },
			hashing: { concurrency: 1, maxQueuePerTenant: 1, maxWait: 120 },
		},
		engine: {
			emailAndPassword: {
				enabled: true,
				password: {
					hash: async (password) => `${password}!`,
					verify: async ({ hash, password }) => {
						seen.comparing += 1;
						await released;
						return hash === `${password}!`;
					},
				},
			},
		},
		plugins: [
			{
				id: "counting",
				hooks: {
					before: [
						{
							matcher: ({ path }) => path === "/sign-in/email",
							handler: createAuthMiddleware(async () => {
								seen.hooks += 1;
							}),
						},
					],
				},
			},
		],
	});
	return { ...world, seen, release };
};

type Named = { header?: string; query?: string; body?: string; path?: string };

// threat 78
it("sheds requests before any hook runs, by their actual tenant and never by the header alone", async () => {
	const world = await createHeldWorld();
	const { seen } = world;
	const [full, free] = [await world.newTenant(), await world.newTenant()];
	for (const tenant of [full, free]) await world.signUp(tenant, "ada@example.com");
	const send = async ({ header, query, body, path = "/sign-in/email" }: Named) => {
		const text = JSON.stringify({ email: "ada@example.com", password: PASSWORD, tenantId: body });
		return world.call(path, {
			...(query ? { query: { tenantId: query } } : {}),
			body: text,
			tenant: header,
			headers: { "content-length": String(text.length) },
		});
	};
	const queued = [send({ header: full }), send({ header: full })];
	await expect.poll(() => [seen.hooks, seen.comparing], { timeout: 60_000 }).toEqual([2, 1]);

	const names: Named[] = [
		{ header: full },
		{ body: full },
		{ query: full },
		{ header: free, body: full },
		{ header: free, query: full },
		{ query: free, body: full },
	];
	for (const named of [...names, ...names.map((one) => ({ ...one, path: "/tenant/sign-in/email" }))]) {
		const { status, code, headers } = await send(named);
		expect([named, status, code, headers.get("retry-after")]).toEqual([named, 503, "HASHING_BUSY", "1"]);
	}
	expect(seen.hooks).toBe(2);

	// not shed: requests without a password, and requests whose body or query names another tenant
	expect((await world.call("/get-session", { tenant: full })).status).toBe(200);
	const passed = send({ header: full, body: free });
	let isDone = false;
	void passed.then(() => {
		isDone = true;
	});
	await vi.waitUntil(() => seen.hooks === 3 || isDone, { timeout: 60_000 });
	expect([seen.hooks, isDone]).toEqual([3, false]);
	queued.push(passed);
	world.release();
	for (const response of queued) expect((await response).status).toBe(200);
	for (const named of [{ header: full, query: free }, { query: full, body: free }, { header: full }])
		expect([named, (await send(named)).status]).toEqual([named, 200]);
});

// threat 78
it("sheds no tenant's requests because of another request's header", async () => {
	const world = await createHeldWorld();
	const [evil, victim] = [await world.newTenant(), await world.newTenant()];
	for (const tenant of [evil, victim]) await world.signUp(tenant, "ada@example.com");
	const signIn = (tenant: string, header: string) =>
		world.call("/sign-in/email", {
			tenant: header,
			headers: { origin: ORIGIN },
			body: { email: "ada@example.com", password: PASSWORD, tenantId: tenant },
		});
	const crowd = Array.from({ length: 10 }, () => signIn(evil, victim));
	await expect.poll(() => world.seen.hooks, { timeout: 60_000 }).toBeGreaterThan(0);
	const served = signIn(victim, victim);
	await expect.poll(() => world.seen.comparing, { timeout: 60_000 }).toBe(1);
	world.release();
	const statuses = await Promise.all(crowd.map(async (response) => (await response).status));
	expect(new Set(statuses)).toEqual(new Set([200, 503]));
	expect((await served).status).toBe(200);
});
