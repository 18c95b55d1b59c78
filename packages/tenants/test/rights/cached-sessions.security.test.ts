import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { createRightsWorld, type Where } from "./support/rights-world.ts";

/** What a session in the cookie cache could do. */
const uses: [string, object?][] = [
	["/list-accounts"],
	["/update-user", { name: "Changed" }],
	["/api-key/create", { name: "ci" }],
	["/one-time-token/generate"],
	["/organization/create", { name: "Org", slug: "org" }],
	["/two-factor/enable", { password: PASSWORD }],
];

describe.each(["compact", "jwt", "jwe"] as const)("a session in the cookie cache (%s)", (strategy) => {
	const start = async (more: Where = {}) => {
		const session = { cookieCache: { enabled: true, maxAge: 300, strategy } };
		const rights = await createRightsWorld({ session, ...more });
		const { world, inA, inB } = rights;
		// the answer fills the cache
		for (const { browser } of [inA.admin, inB.admin]) await world.ok("/get-session", { browser });
		expect([...inA.admin.browser.cookies.keys()].some((name) => name.includes("session_data"))).toBe(true);
		return rights;
	};

	// threat 164
	it.each(["ban", "end-sessions", "reset-second-factor", "remove"])("is not believed after %s", async (path) => {
		const { world, inA, inB, operate, roleIn } = await start({ issuesTokens: false });
		expect((await world.call("/list-accounts", { browser: inA.admin.browser.copy() })).status).toBe(200);
		await operate(path, inA.admin);
		expect(await roleIn(inA.admin.browser)).toBeNull();
		for (const [use, body] of uses) {
			const { status } = await world.call(use, { browser: inA.admin.browser.copy(), ...(body ? { body } : {}) });
			expect([use, status]).toEqual([use, 401]);
		}
		expect(await roleIn(inB.admin.browser)).toBe("admin");
	});

	// threat 164
	it.each(["ban", "end-sessions", "reset-second-factor", "remove"])("is no token after %s", async (path) => {
		const { world, inA, operate } = await start();
		await operate(path, inA.admin);
		expect((await world.call("/token", { browser: inA.admin.browser.copy() })).status).toBe(401);
	});

	// threat 164
	it("says the role that the user has now", async () => {
		const { inA, inB, operate, roleIn } = await start({ issuesTokens: false });
		await operate("set-role", inA.admin, { role: "member" });
		expect([await roleIn(inA.admin.browser), await roleIn(inB.admin.browser)]).toEqual(["member", "admin"]);
	});
});
