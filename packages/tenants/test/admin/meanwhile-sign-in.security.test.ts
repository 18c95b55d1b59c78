import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { createHeld } from "./support/held-sign-in.ts";

const stores = [
	["sqlite", { database: "sqlite" }],
	["postgres", { database: "postgres" }],
	["Redis", { database: "postgres", redis: true }],
	["Redis and postgres", { database: "postgres", redis: true, stored: true }],
] as const;

describe.each(stores)("a sign-in that is running on %s", (_, where) => {
	// threat 127
	it.each(["ban", "remove", "erase"])(
		"gives no session to a user whom an owner meanwhile chose to %s",
		async (path) => {
			const { a, b, inA, inB, act, signInWhile, isSignedIn } = await createHeld(where);
			const browser = await signInWhile(a, inA.member.email, async () =>
				expect((await act(inA.owner, path, inA.member)).status).toBe(200),
			);
			expect(await isSignedIn(browser)).toBe(false);
			expect(await isSignedIn(inA.member.browser)).toBe(false);
			// the same user of the other tenant, and others here
			const neighbor = await signInWhile(b, inB.member.email, async () => act(inA.owner, path, inB.member));
			const other = await signInWhile(a, inA.other.email, async () => {});
			expect([await isSignedIn(neighbor), await isSignedIn(other)]).toEqual([true, true]);
		},
	);

	// threat 127
	it("gives no session to a user whom the application meanwhile banned", async () => {
		const { world, a, b, inA, inB, signInWhile, isSignedIn } = await createHeld(where);
		const { internalAdapter } = await world.auth.$context;
		const ban = () => runWithTenant(a, () => internalAdapter.updateUser(inA.member.id, { banned: true }));
		expect(await isSignedIn(await signInWhile(a, inA.member.email, ban))).toBe(false);
		expect(await isSignedIn(await signInWhile(b, inB.member.email, ban))).toBe(true);
	});

	// threat 114
	it("gives no session by a method that the policy meanwhile excludes", async () => {
		const { world, a, b, inA, inB, signInWhile, isSignedIn } = await createHeld(where);
		const set = (tenantId: string) => async () => {
			const body = { tenantId, policy: { methods: ["magicLink"] }, force: true };
			await world.ok("/tenant/policy/update", { operator: true, body });
		};
		expect(await isSignedIn(await signInWhile(a, inA.member.email, set(a)))).toBe(false);
		expect(await isSignedIn(await signInWhile(b, inB.member.email, async () => {}))).toBe(true);
	});

	// threat 117
	it("gives no complete session if the policy meanwhile requires a second factor", async () => {
		const { world, a, b, inA, inB, signInWhile, isSignedIn } = await createHeld(where);
		const browser = await signInWhile(a, inA.member.email, async () => {
			const body = { tenantId: a, policy: { secondFactor: "required" } };
			await world.ok("/tenant/policy/update", { operator: true, body });
		});
		expect(await isSignedIn(browser)).toBe(false);
		expect(await isSignedIn(await signInWhile(b, inB.member.email, async () => {}))).toBe(true);
	});
});
