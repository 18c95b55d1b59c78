import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { isInRanges } from "../../src/lib/ip-ranges.ts";
import { policyWorld } from "./support/policy-world.ts";

const ADA = "ada@example.com";
const engine = { advanced: { disableOriginCheck: false, ipAddress: { ipAddressHeaders: ["x-real-ip"] } } };
const from = (ip: string) => ({ headers: { "x-real-ip": ip } });
const [INSIDE, OUTSIDE] = ["203.0.113.7", "198.51.100.7"];

describe("the IP ranges of a tenant", () => {
	// threat 114
	it("hold for sign-ins and for sessions that exist, in its tenant only", async () => {
		const { a, b, set, signUp, signIn, isSignedIn, call, sessionsOf } = await policyWorld({ engine });
		const [ada, bob] = [await signUp(a, ADA), await signUp(b, ADA)];
		await set(a, { ipRanges: ["203.0.113.0/24", "2001:db8::/64"] });
		const before = (await sessionsOf(a)).length;
		for (const password of [PASSWORD, "wrong horse battery"]) {
			const { status, code } = await signIn(a, ADA, { password, ...from(OUTSIDE) });
			expect([status, code]).toEqual([403, "IP_ADDRESS_NOT_ALLOWED"]);
		}
		expect((await sessionsOf(a)).length).toBe(before);
		expect((await call("/get-session", { browser: ada, ...from(OUTSIDE) })).code).toBe("IP_ADDRESS_NOT_ALLOWED");
		expect((await call("/list-sessions", { browser: ada, ...from("2001:db8:0:1::5") })).status).toBe(403);
		expect([await isSignedIn(ada, from(INSIDE)), await isSignedIn(ada, from("2001:db8::5"))]).toEqual([true, true]);
		expect([await isSignedIn(bob, from(OUTSIDE)), (await signIn(b, ADA, from(OUTSIDE))).status]).toEqual([true, 200]);
		expect((await signIn(a, ADA, from(INSIDE))).status).toBe(200);
		// a header that the application does not trust says nothing
		expect((await signIn(a, ADA, { headers: { "x-real-ip": OUTSIDE, "x-forwarded-for": INSIDE } })).status).toBe(403);
	});

	// threat 114
	it("refuse a session whose address is unknown", async () => {
		const { a, b, set, signUp, auth, sessionsOf } = await policyWorld({ engine });
		for (const tenant of [a, b]) await signUp(tenant, ADA);
		await set(a, { ipRanges: ["203.0.113.0/24"] });
		const signIn = (tenantId: string) =>
			auth.api.signInEmail({ body: { email: ADA, password: PASSWORD, tenantId } as never });
		await expect(signIn(a)).rejects.toMatchObject({ body: { code: "IP_ADDRESS_NOT_ALLOWED" } });
		expect(await signIn(b)).toMatchObject({ user: { tenantId: b } });
		expect(await sessionsOf(a)).toHaveLength(1);
	});

	// threat 114
	it("are refused where callers choose their address, and where Better Auth keeps less of it", async () => {
		const open = await policyWorld();
		const spoofable = await open.update(open.a, { ipRanges: ["203.0.113.0/24"] });
		expect([spoofable.code, spoofable.text]).toEqual(["INVALID_POLICY", expect.stringContaining("advanced.ipAddress")]);
		const { a, update } = await policyWorld({ engine });
		for (const range of ["2001:db8::/96", "2001:db8::1", "203.0.113.0/33", "203.0.113", "::ffff:203.0.113.7", "x", ""])
			expect([range, (await update(a, { ipRanges: [range] })).code]).toEqual([range, "INVALID_POLICY"]);
		expect((await update(a, { ipRanges: [] })).code).toBe("INVALID_POLICY");
	});
});

it("compares addresses with ranges", () => {
	const cases: [range: string, ip: string | null, isIn: boolean][] = [
		["10.0.0.0/8", "10.255.255.255", true],
		["10.0.0.0/8", "11.0.0.0", false],
		["10.1.2.3", "10.1.2.3", true],
		["10.1.2.3", "10.1.2.4", false],
		["0.0.0.0/0", "198.51.100.1", true],
		["0.0.0.0/0", "2001:db8::1", false],
		["::/0", "198.51.100.1", false],
		["2001:db8::/32", "2001:0db8:ffff:0000:0000:0000:0000:0000", true],
		["2001:db8::/32", "2001:db9::", false],
		["fe80::/10", "febf::1", true],
		["10.0.0.0/8", null, false],
		["10.0.0.0/8", "unknown", false],
		["10.0.0.0/8", "10.0.0.0/9", true],
	];
	for (const [range, ip, isIn] of cases) expect([range, ip, isInRanges([range], ip)]).toEqual([range, ip, isIn]);
});
