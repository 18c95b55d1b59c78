import { Browser } from "test-kit/browser";
import { describe, expect, it } from "vitest";
import { invitingWorld } from "./support/inviting-world.ts";

const ADA = "ada@example.com";
const STORES = [
	{ database: "sqlite" },
	{ database: "postgres" },
	{ database: "mysql" },
	{ database: "postgres", redis: true },
] as const;

const countOf = (answers: { status: number }[], status: number): number =>
	answers.filter((answer) => answer.status === status).length;

describe.each(STORES)("concurrent requests on %o", (store) => {
	// threat 112
	it("accept an invitation once", async () => {
		const world = await invitingWorld(store);
		const token = await world.tokenFor(world.a, ADA, "admin");
		await world.tokenFor(world.b, ADA);
		const answers = await Promise.all(Array.from({ length: 20 }, () => world.accept(token)));
		expect(countOf(answers, 200)).toBe(1);
		expect(answers.every(({ code = "INVITATION_" }) => code.startsWith("INVITATION_"))).toBe(true);
		expect((await world.users()).map(({ role }) => role)).toEqual(["admin"]);
		for (const table of ["account", "tenantInvitation"]) expect(await world.rows(table)).toHaveLength(1);
	});

	// threat 112
	it("accept an invitation or revoke it, but not both", async () => {
		const world = await invitingWorld(store);
		for (let round = 0; round < 5; round++) {
			const email = `user-${round}@example.com`;
			const token = await world.tokenFor(world.a, email);
			const row = (await world.rows("tenantInvitation")).find((found) => found.email === email);
			const body = { tenantId: world.a, id: row?.id };
			const [accepted, revoked] = await Promise.all([
				world.accept(token),
				world.call("/tenant/invitation/revoke", { operator: true, body }),
			]);
			expect([accepted.status, revoked.status].sort()).toEqual([200, 404]);
			const exists = (await world.users()).some((user) => user.email === email);
			expect(exists).toBe(accepted.status === 200);
		}
	});

	// threat 112
	it("raise a role by one invitation once", async () => {
		const world = await invitingWorld(store);
		const browser = await world.member(world.a, ADA, "member");
		const token = await world.tokenFor(world.a, ADA, "admin");
		const answers = await Promise.all(Array.from({ length: 10 }, () => world.acceptAs(browser.copy(), token)));
		// a higher role ends earlier sessions, so a request that reads its session after that is not signed in
		expect([countOf(answers, 200), countOf(answers, 404) + countOf(answers, 401)]).toEqual([1, 9]);
		expect((await world.users()).map(({ role }) => role)).toEqual(["admin"]);
	});

	// threat 113
	it("do not exceed the limits", async () => {
		const world = await invitingWorld({ ...store, invitations: { maxOpen: 5, mailsPerAddress: 2 } });
		const invited = await Promise.all(
			Array.from({ length: 15 }, (_, at) => world.invite({ tenantId: world.a, email: `user-${at}@example.com` })),
		);
		expect([countOf(invited, 200), countOf(invited, 400)]).toEqual([5, 10]);
		const [row] = await world.rows("tenantInvitation");
		const body = { tenantId: world.a, id: row?.id };
		const resent = await Promise.all(
			Array.from({ length: 10 }, () => world.call("/tenant/invitation/resend", { operator: true, body })),
		);
		expect([countOf(resent, 200), countOf(resent, 429)]).toEqual([1, 9]);
		const same = await Promise.all(Array.from({ length: 10 }, () => world.invite({ tenantId: world.b, email: ADA })));
		expect([countOf(same, 200), countOf(same, 409)]).toEqual([1, 9]);
		expect(world.sent).toHaveLength(7);
	});

	it("invite nobody to a tenant that was deleted", async () => {
		const world = await invitingWorld(store);
		const [, ...invited] = await Promise.all([
			world.call("/tenant/delete", { operator: true, body: { tenantId: world.a } }),
			...Array.from({ length: 5 }, (_, at) => world.invite({ tenantId: world.a, email: `user-${at}@example.com` })),
		]);
		expect(invited.every(({ status }) => status === 200 || status === 404)).toBe(true);
		expect(await world.rows("tenantInvitation")).toEqual([]);
		expect(
			(await world.invite({ tenantId: world.a, email: ADA }, { operator: true, browser: new Browser() })).status,
		).toBe(404);
	});
});
