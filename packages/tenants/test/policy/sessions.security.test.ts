import { Browser } from "test-kit/browser";
import { passTime } from "test-kit/pass-time";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { policyWorld } from "./support/policy-world.ts";

const ADA = "ada@example.com";
const MINUTE = 60_000;
const STORES = [
	{ name: "database" },
	{ name: "cookie cache", engine: { session: { cookieCache: { enabled: true, maxAge: 3600 } } } },
	{
		name: "cookie cache with a version of the application",
		engine: { session: { cookieCache: { enabled: true, maxAge: 3600, version: () => "7" } } },
	},
	{ name: "postgres", database: "postgres" as const },
	{ name: "redis", redis: true },
];

describe.each(STORES)("sessions under a policy ($name)", ({ name: _name, ...where }) => {
	// threat 114
	it("end after their lifetime, also those that exist, and in their tenant only", async () => {
		const { a, b, set, signUp, signIn, isSignedIn, call } = await policyWorld(where);
		const [ada, bob] = [await signUp(a, ADA), await signUp(b, ADA)];
		passTime(10 * MINUTE);
		await set(a, { sessionMaxAge: 30 * 60 });
		const later = (await signIn(a, ADA)).browser;
		for (const browser of [ada, bob, later]) expect(await isSignedIn(browser)).toBe(true);
		passTime(19 * MINUTE);
		// use does not extend it
		for (const browser of [ada, bob, later]) expect(await isSignedIn(browser)).toBe(true);
		passTime(2 * MINUTE);
		expect([await isSignedIn(ada), await isSignedIn(bob), await isSignedIn(later)]).toEqual([false, true, true]);
		expect((await call("/list-sessions", { browser: ada })).status).toBe(401);
		passTime(10 * MINUTE);
		expect([await isSignedIn(later), await isSignedIn(bob)]).toEqual([false, true]);
	});

	it("say in their cookie when they end", async () => {
		const { a, b, set, signUp, signIn } = await policyWorld(where);
		for (const tenant of [a, b]) await signUp(tenant, ADA);
		await set(a, { sessionMaxAge: 30 * 60 });
		const ageIn = async (tenant: string): Promise<number> => {
			const cookies = (await signIn(tenant, ADA)).headers.getSetCookie();
			const [, age] = cookies.find((cookie) => cookie.includes("session_token"))?.match(/max-age=(\d+)/i) ?? [];
			return Number(age);
		};
		expect([await ageIn(a), await ageIn(b)]).toEqual([30 * 60, 7 * 24 * 60 * 60]);
	});

	// threat 114
	it.each([true, false])("end after idle time, and not while they are used (rememberMe: %s)", async (rememberMe) => {
		const { a, b, set, signUp, call, isSignedIn } = await policyWorld(where);
		const bob = await signUp(b, ADA);
		await signUp(a, ADA);
		await set(a, { sessionIdleTime: 15 * 60 });
		const start = async () => {
			const browser = new Browser();
			await call("/sign-in/email", { tenant: a, browser, body: { email: ADA, password: PASSWORD, rememberMe } });
			return browser;
		};
		const [active, idle] = [await start(), await start()];
		for (let minute = 0; minute < 20; minute += 4) {
			passTime(4 * MINUTE);
			expect([minute, await isSignedIn(active)]).toEqual([minute, true]);
		}
		expect([await isSignedIn(idle), await isSignedIn(bob), await isSignedIn(active)]).toEqual([false, true, true]);
		passTime(16 * MINUTE);
		expect([await isSignedIn(active), await isSignedIn(bob)]).toEqual([false, true]);
	});

	// threat 114
	it("are limited per user: a new one ends the oldest", async () => {
		const { a, b, set, signUp, signIn, isSignedIn } = await policyWorld(where);
		const bob = await signUp(b, ADA);
		const first = await signUp(a, ADA);
		const other = await signUp(a, "bob@example.com");
		await set(a, { maxSessions: 2 });
		passTime(1000);
		const second = (await signIn(a, ADA)).browser;
		passTime(1000);
		const third = (await signIn(a, ADA)).browser;
		const states = await Promise.all([first, second, third, other, bob].map((browser) => isSignedIn(browser)));
		expect(states).toEqual([false, true, true, true, true]);
	});
});

it.each(["sqlite", "postgres"] as const)("limits sessions of parallel sign-ins (%s)", async (database) => {
	const { a, b, set, signUp, signIn, sessionsOf } = await policyWorld({ database });
	await signUp(a, ADA);
	await signUp(b, ADA);
	await set(a, { maxSessions: 3 });
	const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(a, ADA)));
	expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
	expect(await sessionsOf(a)).toHaveLength(3);
	expect(await sessionsOf(b)).toHaveLength(1);
});

it("does not tell of a session that cannot be judged", async () => {
	const { a, b, set, signUp, database, isSignedIn, call, logs } = await policyWorld();
	const [ada, bob] = [await signUp(a, ADA), await signUp(b, ADA)];
	await set(a, { sessionMaxAge: 3600 });
	await database.query(`update "tenantPolicy" set "rules" = '{"newRule":1}'`);
	// another process has not cached the policy
	passTime(61_000);
	expect([await isSignedIn(ada), await isSignedIn(bob)]).toEqual([false, true]);
	const answer = await call("/sign-in/email", { tenant: a, body: { email: ADA, password: PASSWORD } });
	expect([answer.status, answer.code]).toEqual([503, "POLICY_UNREADABLE"]);
	expect((await call("/tenant/policy/get", { operator: true, query: { tenantId: a } })).json.own).toBeNull();
	expect(logs.join("\n")).toContain("POST /tenant/policy/update");
	await set(a, { sessionMaxAge: 7200 });
	expect(await isSignedIn(ada)).toBe(true);
});
