import { describe, expect, it } from "vitest";
import { createRightsWorld, STORES } from "./support/rights-world.ts";

describe.each(STORES)("a session in %s", (_, where) => {
	// threat 162
	it("is not found once its user has another epoch, even if nothing deleted it", async () => {
		const { world, inA, inB, roleIn, signIn, a } = await createRightsWorld(where);
		expect(await roleIn(inA.member.browser)).toBe("member");
		await world.database.query(`update "user" set "rightsEpoch" = 'later' where "id" = '${inA.member.id}'`);
		expect(await roleIn(inA.member.browser)).toBeNull();
		expect([await roleIn(inA.other.browser), await roleIn(inB.member.browser)]).toEqual(["member", "member"]);
		expect(await roleIn(await signIn(a, inA.member))).toBe("member");
	});
});

describe("an epoch", () => {
	// threat 162
	it.each(["/update-user", "/update-session"])("cannot be set by a request to %s", async (path) => {
		const { world, inA } = await createRightsWorld();
		for (const field of ["rightsEpoch", "apiKeysSince"]) {
			const { status } = await world.call(path, { browser: inA.member.browser, body: { [field]: "2020-01-01" } });
			expect(status).toBe(400);
		}
	});

	it("is not in responses about users", async () => {
		const { world, a, inA, operate } = await createRightsWorld();
		await operate("end-sessions", inA.other);
		const { user } = (await world.ok("/get-session", { browser: inA.member.browser })).json;
		const list = await world.ok("/tenant/user/list", { operator: true, query: { tenantId: a } });
		for (const text of [JSON.stringify(user), list.text]) {
			expect(text).toContain("member@example.com");
			expect(text).not.toMatch(/rightsEpoch|apiKeysSince/);
		}
	});
});
