import { readFileSync } from "node:fs";
import { emailOTP, organization, phoneNumber, username } from "better-auth/plugins";
import { Redis } from "ioredis";
import { createWorld, MANAGEMENT_KEY, PASSWORD, type World } from "test-kit/world";
import { describe, expect, it, onTestFinished } from "vitest";
import { type TenantAuthOptions, withTenants } from "../../src/index.ts";
import { resolveOptions } from "../../src/plugin/options.ts";
import { ada, newAddress, unlisted } from "./limited-world.ts";

type Limits = NonNullable<TenantAuthOptions["limits"]>;

const createNamed = async (limits: Limits = {}) => {
	const world = await createWorld({
		redis: true,
		engine: { rateLimit: { enabled: true, max: 10_000, customRules: { "/**": { window: 10, max: 10_000 } } } },
		allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] }, limits }, [
			emailOTP({ sendVerificationOTP: async () => {} }),
			phoneNumber({ sendOTP: async () => {} }),
			username(),
			organization(),
			unlisted,
		]),
	});
	const newTenant = async (slug: string) => (await world.auth.api.createTenant({ body: { name: slug, slug } })).id;
	const [a, b] = [await newTenant("acme"), await newTenant("globex")];
	const send = (path: string, tenant: string, body: object, address = newAddress()) =>
		world.call(path, { tenant, body, headers: { "x-forwarded-for": address } });
	return { world, a, b, send, countersOf: () => countersIn(world) };
};

/** The counters of users, and of what one network and one tenant may name. */
const countersIn = async (world: World): Promise<string[]> =>
	(await world.redisKeys()).filter((key) => key.includes("limit."));
const ofUsers = (keys: string[]): string[] =>
	keys.filter((key) => /limit\.(user|address|code|code-address):/.test(key));

/** What a counter takes in Redis, rounded up to 100 bytes: versions of Redis and prefixes of keys differ a little. */
const bytesOf = async (keys: string[]): Promise<number> => {
	const client = new Redis(process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379");
	onTestFinished(() => client.disconnect());
	const bytes: number[] = [];
	for (const key of keys) {
		const [stored = ""] = await client.keys(`*${key}`);
		bytes.push((await client.memory("USAGE", stored)) ?? 0);
	}
	return 100 * Math.ceil(Math.max(...bytes) / 100);
};

/** The figures that a page gives for the default shares. */
const documented = (page: string, pattern: RegExp): string[] =>
	pattern.exec(readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), "utf8"))?.slice(1) ?? [];
const { shares: DEFAULTS } = resolveOptions({}).limits as { shares: { perNetwork: number; perTenant: number } };

let invented = 0;
/** Names and codes that nobody has. */
const invent = () => {
	invented += 1;
	return {
		email: `x${invented}@example.com`,
		newEmail: `y${invented}@example.com`,
		username: `x${invented}`,
		phoneNumber: `+1555${invented}`,
		otp: "000000",
		code: "000000",
		password: PASSWORD,
		type: "sign-in",
	};
};

const NAMELESS = ["/sign-out", "/revoke-session", "/delete-user", "/organization/create", "/verify-password"];
const NAMING = [
	"/sign-in/email",
	"/tenant/sign-in/email",
	"/sign-in/username",
	"/sign-in/phone-number",
	"/sign-in/email-otp",
	"/email-otp/check-verification-otp",
	"/phone-number/verify",
	"/phone-number/request-password-reset",
	"/organization/invite-member",
	"/unlisted/guess",
];

// threat 160
describe("names that a stranger invents", () => {
	it.each(NAMELESS)("are not counted at %s, which reads none", async (path) => {
		const { a, b, send, countersOf } = await createNamed();
		const before = await countersOf();
		for (const tenant of [a, b]) await send(path, tenant, invent());
		expect(await countersOf()).toEqual(before);
	});

	it("are counted in the fields that an endpoint reads only, and in all fields of an endpoint that nobody listed", async () => {
		const { a, b, send, countersOf } = await createNamed();
		for (const [path, kept] of [
			["/sign-in/email", 2],
			["/sign-in/email-otp", 4],
			["/unlisted/guess", 16],
		] as const)
			for (const tenant of [a, b]) {
				const before = ofUsers(await countersOf()).length;
				await send(path, tenant, invent());
				expect([path, ofUsers(await countersOf()).length - before]).toEqual([path, kept]);
			}
	});

	it.each(NAMING)("are refused at %s from a network that used up its share, and write nothing then", async (path) => {
		const { a, b, send, countersOf } = await createNamed({ shares: { perNetwork: 8 } });
		const address = newAddress();
		for (let number = 0; number < 8; number += 1) await send(path, b, invent(), address);
		for (const tenant of [a, b]) expect((await send(path, tenant, invent(), address)).code).toBe("SHARE_EXCEEDED");
		const before = (await countersOf()).toSorted();
		for (const tenant of [a, b])
			for (const other of NAMING) expect((await send(other, tenant, invent(), address)).code).toBe("SHARE_EXCEEDED");
		expect((await countersOf()).toSorted()).toEqual(before);
		// what names nobody, other networks and other tenants go on
		expect((await send("/sign-out", a, {}, address)).status).toBe(200);
		expect((await send(path, a, invent())).code).not.toBe("SHARE_EXCEEDED");
	});

	it("leave codes of a network alone until it has tried its share of them in a day", async () => {
		const { a, b, send, countersOf } = await createNamed({ shares: { perNetwork: 6 } });
		const address = newAddress();
		const path = "/email-otp/check-verification-otp";
		for (let number = 0; number < 6; number += 1) await send(path, b, invent(), address);
		const codes = async () => (await countersOf()).filter((key) => key.includes("limit.share-codes:"));
		expect(await codes()).toHaveLength(1);
		const client = new Redis(process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379");
		onTestFinished(() => client.disconnect());
		const stored = async (key = "") => client.keys(`*${key}`);
		expect(await client.ttl((await stored((await codes())[0]))[0] ?? "")).toBeGreaterThan(86_000);
		// an hour later, when what it may store begins again
		const hourly = (await countersOf()).find((key) => key.includes("limit.share-network:"));
		await client.del(...(await stored(hourly)));
		const before = ofUsers(await countersOf());
		expect((await send(path, a, invent(), address)).code).toBe("SHARE_EXCEEDED");
		expect(ofUsers(await countersOf()).length - before.length).toBeLessThanOrEqual(2);
		expect((await send(path, a, invent())).status).toBe(400);
	});

	it("leave at most four counters for each kilobyte of the share of their network, as docs/limits.md says", async () => {
		const perNetwork = 10;
		const { a, b, send, countersOf } = await createNamed({ shares: { perNetwork } });
		const most: string[] = [];
		for (const [path, code] of NAMING.flatMap((name) => [[name, "000000"] as const, [name, undefined] as const])) {
			const address = newAddress();
			const before = new Set(ofUsers(await countersOf()));
			for (let number = 0; number < 2 * perNetwork; number += 1)
				await send(path, number % 2 ? a : b, { ...invent(), code, otp: code }, address);
			const kept = ofUsers(await countersOf()).filter((key) => !before.has(key));
			if (kept.length > most.length) most.splice(0, most.length, ...kept);
		}
		expect(most).toHaveLength(4 * perNetwork);
		const bytes = await bytesOf(most);
		const { perNetwork: kilobytes } = DEFAULTS;
		const [counters, megabytes] = [4 * kilobytes, Math.ceil((4 * kilobytes * bytes) / 1_000_000)];
		for (const page of ["limits.md", "guides/redis.md"])
			expect([page, ...documented(page, /([\d,]+) counters, (\d+) MB/)]).toEqual([
				page,
				counters.toLocaleString("en"),
				`${megabytes}`,
			]);
	});

	it("leave at most six counters in an hour for each kilobyte of the share of a tenant's strangers, from many networks", async () => {
		const perTenant = 5;
		const { a, b, send, countersOf } = await createNamed({ shares: { perTenant } });
		const before = ofUsers(await countersOf());
		for (let number = 0; number < 2 * perTenant; number += 1)
			for (const path of ["/email-otp/check-verification-otp", "/sign-in/email", "/unlisted/guess"])
				await send(path, a, invent());
		const kept = ofUsers(await countersOf());
		expect(kept).toHaveLength(before.length + 6 * perTenant);
		const counters = 6 * DEFAULTS.perTenant;
		const megabytes = Math.ceil((counters * (await bytesOf(kept))) / 1_000_000);
		expect(documented("limits.md", /([\d,]+) counters in an hour, (\d+) MB/)).toEqual([
			counters.toLocaleString("en"),
			`${megabytes}`,
		]);
		expect((await send("/sign-in/email", b, invent())).status).toBe(401);
	});

	it("use up the share of one tenant only, and not what its users may store", async () => {
		const { a, b, send } = await createNamed({ shares: { perTenant: 4 } });
		for (let number = 0; number < 4; number += 1) expect((await send("/sign-in/email", a, invent())).status).toBe(401);
		expect((await send("/sign-in/email", a, invent())).code).toBe("SHARE_EXCEEDED");
		expect((await send("/email-otp/send-verification-otp", a, { email: ada, type: "sign-in" })).status).toBe(200);
		expect((await send("/sign-in/email", b, invent())).status).toBe(401);
	});

	it("do not cost a share if nothing counts them", async () => {
		const { a, b, send } = await createNamed({ perUser: false, codesPerUser: false, shares: { perNetwork: 2 } });
		const address = newAddress();
		for (const tenant of [a, b, a, b])
			expect((await send("/sign-in/email", tenant, invent(), address)).status).toBe(401);
	});
});
