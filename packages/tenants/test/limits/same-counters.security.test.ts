import type { BetterAuthOptions } from "better-auth";
import { createWorld, MANAGEMENT_KEY, PASSWORD, type World, type WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { newAddress } from "./limited-world.ts";

type RateLimit = NonNullable<BetterAuthOptions["rateLimit"]>;

const RULES = { "/sign-in/email": { window: 600, max: 3 } };

const createCounted = async (rateLimit: RateLimit, more: WorldOptions = {}) => {
	const world = await createWorld({
		...more,
		engine: { ...more.engine, rateLimit: { enabled: true, window: 600, max: 5, customRules: RULES, ...rateLimit } },
		tenantAuth: { management: { keys: [MANAGEMENT_KEY] }, limits: { perUser: false } },
	});
	const newTenant = async (slug: string) => (await world.auth.api.createTenant({ body: { name: slug, slug } })).id;
	return { world, a: await newTenant("acme"), b: await newTenant("globex") };
};

const guess = async (world: World, tenantId: string, path: string, address: string): Promise<number> => {
	const body = { tenantId, email: "ada@example.com", password: PASSWORD };
	return (await world.call(path, { tenant: tenantId, headers: { "x-forwarded-for": address }, body })).status;
};
const guesses = async (world: World, tenantId: string, paths: string[], address = newAddress()): Promise<number[]> => {
	const seen = [];
	for (const path of paths) seen.push(await guess(world, tenantId, path, address));
	return seen;
};

/** Counts as an application's own storage does. */
const ownStorage = () => {
	const counts = new Map<string, number>();
	const consume: NonNullable<RateLimit["customStorage"]>["consume"] = async (key, { max, window }) => {
		const count = (counts.get(key) ?? 0) + 1;
		counts.set(key, count);
		return { allowed: count <= max, retryAfter: count <= max ? null : window };
	};
	return { counts, consume };
};

const OURS = "/tenant/sign-in/email";
const THEIRS = "/sign-in/email";

// threat 159
describe("one counter of the rate limit", () => {
	it.each([
		["memory", { rateLimit: { storage: "memory" } }],
		["Redis", { redis: true, rateLimit: { storage: "secondary-storage" } }],
		["the database", { rateLimit: { storage: "database" } }],
		["the database", { database: "postgres", rateLimit: { storage: "database" } }],
		["an own storage", { rateLimit: { customStorage: ownStorage() } }],
	] as [string, WorldOptions & { rateLimit: RateLimit }][])(
		"counts both paths of an endpoint, in %s",
		async (_, { rateLimit, ...more }) => {
			const { world, a, b } = await createCounted(rateLimit, more);
			expect(await guesses(world, a, [THEIRS, OURS, OURS, THEIRS, OURS])).toEqual([401, 401, 401, 429, 429]);
			// from another address, also in another tenant
			expect(await guesses(world, b, [OURS])).toEqual([401]);
		},
	);

	it("allows no further guesses in another spelling of the path", async () => {
		const { world, a } = await createCounted({});
		const address = newAddress();
		let served = 0;
		for (const path of [
			THEIRS,
			OURS,
			`${THEIRS}/`,
			`/${THEIRS}`,
			"/sign-in//email",
			"/sign-in/%65mail",
			`${THEIRS}?x=1`,
			`/.${THEIRS}`,
			"/SIGN-IN/EMAIL",
			"/x/../sign-in/email",
			`${THEIRS};x=1`,
		])
			served += (await guesses(world, a, Array(4).fill(path), address)).filter((status) => status === 401).length;
		expect(served).toBe(3);
	});

	it("has one for all paths that do not exist, and one for a path with any parameter", async () => {
		const storage = ownStorage();
		const { world, a } = await createCounted({ customStorage: storage });
		storage.counts.clear();
		const headers = { "x-forwarded-for": newAddress() };
		const seen = [];
		for (let number = 0; number < 7; number += 1)
			seen.push((await world.call(`/invented-${number}`, { tenant: a, headers })).status);
		expect(seen).toEqual([404, 404, 404, 404, 404, 429, 429]);
		for (let number = 0; number < 7; number += 1)
			await world.call(`/reset-password/token-${number}`, { tenant: a, headers, query: { callbackURL: "/" } });
		expect([...storage.counts.values()]).toEqual([7, 7]);
	});

	it("counts an IPv6 /56 as one address, and not its neighbor", async () => {
		const { world, a } = await createCounted({});
		const seen = [];
		for (let network = 0; network < 5; network += 1)
			seen.push(await guess(world, a, THEIRS, `2001:db8:7:${(0x4200 + network * 50).toString(16)}::1`));
		expect(seen).toEqual([401, 401, 401, 429, 429]);
		expect(await guess(world, a, THEIRS, "2001:db8:7:4300::1")).toBe(401);
		expect(await guess(world, a, THEIRS, "::ffff:192.0.2.77")).toBe(401);
	});

	it("leaves the size of a network to an application that sets it", async () => {
		const { world, a } = await createCounted({}, { engine: { advanced: { ipAddress: { ipv6Subnet: 64 } } } });
		const seen = [];
		for (let network = 0; network < 5; network += 1)
			seen.push(await guess(world, a, THEIRS, `2001:db8:8:${(0x4200 + network).toString(16)}::1`));
		expect(seen).toEqual(Array(5).fill(401));
	});
});
