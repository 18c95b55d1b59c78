import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import type { Person } from "../admin/support/administered.ts";
import { createRightsWorld, type RightsWorld } from "./support/rights-world.ts";

type End = (rights: RightsWorld, tenant: string, person: Person) => Promise<unknown>;

const byOperator =
	(path: string, more: object = {}): End =>
	({ operate }, tenant, person) =>
		operate(path, person, more, tenant);

/** What ends all sessions of a user, and how many of their own they keep. */
const ends: [string, End][] = [
	["a ban", byOperator("ban")],
	["a removal", byOperator("remove")],
	["an erasure", byOperator("erase")],
	["an admin who ends them", byOperator("end-sessions")],
	["a reset of the second factor", byOperator("reset-second-factor")],
	[
		"a new password",
		async ({ world, signIn }, tenant, person) => {
			const body = { currentPassword: PASSWORD, newPassword: "a new password", revokeOtherSessions: true };
			await world.ok("/change-password", { browser: await signIn(tenant, person), body });
		},
	],
	[
		"a password from a link",
		async ({ world }, tenant, { email }) => {
			await world.ok("/request-password-reset", { tenant, body: { email, redirectTo: "/reset" } });
			const body = { token: world.lastMail("reset").token, newPassword: "a new password" };
			await world.ok("/reset-password", { tenant, body });
		},
	],
	[
		"a sign-out everywhere else",
		async ({ world, signIn, roleIn }, tenant, person) => {
			const browser = await signIn(tenant, person);
			await world.ok("/revoke-other-sessions", { browser, body: {} });
			expect(await roleIn(browser)).toBe("member");
		},
	],
	["an accepted invitation", ({ acceptAsOwner }, tenant, person) => acceptAsOwner(tenant, person)],
];

describe.each([
	["Redis only", { redis: true }],
	["sqlite", {}],
	["Redis and sqlite", { redis: true, session: { storeSessionInDatabase: true } }],
])("sessions in %s", (_, where) => {
	// threat 162
	it.each(ends)("all end with %s, also those that Better Auth's list has lost", async (_name, end) => {
		const rights = await createRightsWorld(where);
		const { a, b, inA, inB, crowd, alive, signIn, roleIn } = rights;
		const [sessions, neighbors] = [await crowd(a, inA.member), await crowd(b, inB.member)];
		expect([await alive(sessions), await alive(neighbors)]).toEqual([8, 8]);
		await end(rights, a, inA.member);
		expect([await alive(sessions), await alive(neighbors)]).toEqual([0, 8]);
		// others, and the next sign-in
		expect(await roleIn(inA.other.browser)).toBe("member");
		expect(await roleIn(await signIn(b, inB.member))).toBe("member");
	});

	// threat 162
	it("say the role that the user has now", async () => {
		const { world, a, b, inA, inB, crowd, roleIn, operate } = await createRightsWorld(where);
		const [sessions, neighbors] = [await crowd(a, inA.admin), await crowd(b, inB.admin)];
		expect((await operate("set-role", inA.admin, { role: "member" })).status).toBe(200);
		for (const browser of sessions) {
			expect(await roleIn(browser)).toBe("member");
			const list = await world.call("/tenant/user/list", { browser, query: { tenantId: a } });
			expect(list.status).toBe(403);
		}
		for (const browser of neighbors) expect(await roleIn(browser)).toBe("admin");
	});

	// threat 162
	it("manage nothing without the second factor that admins need", async () => {
		const { world, a, b, inA, inB, crowd, operate } = await createRightsWorld(where);
		const manages = async (tenantId: string, browsers: Awaited<ReturnType<typeof crowd>>) => {
			const query = { tenantId };
			const answers = await Promise.all(browsers.map((browser) => world.call("/tenant/user/list", { browser, query })));
			return answers.filter(({ status }) => status === 200).length;
		};
		const policy = { secondFactor: "required-for-admins" };
		await world.ok("/tenant/policy/update", { operator: true, body: { tenantId: a, policy } });
		const [sessions, neighbors] = [await crowd(a, inA.member), await crowd(b, inB.member)];
		await operate("set-role", inA.member, { role: "admin" });
		await operate("set-role", inB.member, { role: "admin" }, b);
		expect([await manages(a, sessions), await manages(b, neighbors)]).toEqual([0, 8]);
	});
});
