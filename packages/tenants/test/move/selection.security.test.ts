import { describe, expect, it } from "vitest";
import { type MoveOptions, PLATFORM } from "../../src/index.ts";
import { createMovable } from "./support/movable.ts";

describe("a selection of users to move", () => {
	// threat 86
	it("never reaches another tenant, whatever its conditions and ids", async () => {
		const { a, b, signUp, move, newTenant, everything } = await createMovable();
		const to = await newTenant("initech");
		for (const tenant of [a, to]) await signUp(tenant, "ada");
		const [grace, edsger] = [await signUp(b, "grace"), await signUp(PLATFORM, "edsger")];
		const before = await everything();
		const conditions: NonNullable<MoveOptions["where"]>[] = [
			[{ field: "tenantId", value: b }],
			[{ field: "tenantId", value: a, operator: "ne" }],
			[{ field: "id", value: grace.id }],
			[
				{ field: "id", value: "x", connector: "OR" },
				{ field: "id", value: grace.id, connector: "OR" },
			],
			[
				{ field: "email", value: edsger.email, connector: "OR" },
				{ field: "tenantId", value: PLATFORM, connector: "OR" },
			],
		];
		for (const where of conditions)
			expect([where, await move({ from: a, to, where })]).toMatchObject([where, { users: 0, moved: 0 }]);
		const { moved, collisions } = await move({ from: a, to, userIds: [grace.id, edsger.id] });
		expect([moved, collisions.map(({ code }) => code)]).toEqual([0, ["USER_NOT_FOUND", "USER_NOT_FOUND"]]);
		expect(await everything()).toEqual(before);
	});

	// threat 86
	it.each([
		["SQLite", {}],
		["Redis", { redis: true }],
	])(
		"leaves the one-time password of a user who stays and shares an email with one in the target, on %s",
		async (_name, options) => {
			const { a, b, signUp, move, ok, sent, call } = await createMovable(options);
			const [here, there, grace] = [await signUp(a, "ada"), await signUp(b, "ada"), await signUp(a, "grace")];
			const body = { email: here.email, type: "sign-in" };
			const selections = [{ userIds: [there.id, grace.id] }, { where: [], after: "zzzz" }];
			for (const selection of selections) {
				await ok("/email-otp/send-verification-otp", { tenant: a, body });
				const otp = sent.get(`sign-in:${here.email}`);
				expect(await move({ from: a, to: b, ...selection })).toMatchObject({ collisions: [] });
				const signedIn = await call("/sign-in/email-otp", { tenant: a, body: { email: here.email, otp } });
				expect([signedIn.status, signedIn.json.user?.id]).toEqual([200, here.id]);
			}
		},
	);

	// threat 86
	it("leaves each user whole in one tenant if several calls move the same users to different ones", async () => {
		const { a, b, signUp, move, tenantsOfUser } = await createMovable({ database: "postgres" });
		const there = [await signUp(a, "ada"), await signUp(a, "grace")].map(({ id }) => id);
		const back = [await signUp(b, "edsger"), await signUp(b, "barbara")].map(({ id }) => id);
		const results = await Promise.all([
			move({ from: a, to: b, userIds: there, batchSize: 1 }),
			move({ from: b, to: a, userIds: back, batchSize: 1 }),
			move({ from: a, to: PLATFORM, userIds: there, batchSize: 2 }),
			move({ from: b, to: PLATFORM, userIds: back, batchSize: 1 }),
		]);
		expect(results.reduce((sum, { moved }) => sum + moved, 0)).toBeGreaterThanOrEqual(4);
		for (const id of [...there, ...back]) {
			const { user = [], ...rows } = await tenantsOfUser(id);
			expect([user.length, rows]).toEqual([1, { account: user }]);
		}
	});
});
