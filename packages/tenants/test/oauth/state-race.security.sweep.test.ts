import { errorOf, globalProviders, startSocial, useIdentityProvider } from "test-kit/social";
import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";

const idp = useIdentityProvider();
const ada = { sub: "ada-1", email: "ada@example.com", name: "Ada" };
const withProviders = () => ({ engine: { socialProviders: globalProviders(idp()) } });

describe.each(["postgres", "mysql"] as const)("concurrent callbacks on %s", (database) => {
	// threat 15
	it("accept one of 50 with the same state", async () => {
		const world = await createWorld({ database, ...withProviders() });
		const tenantId = await world.newTenant();
		const { browser, callback } = await startSocial(world, idp(), tenantId, ada);
		const answers = await Promise.all(
			Array.from({ length: 50 }, () => world.call(callback, { browser: browser.copy() })),
		);
		expect(answers.filter(({ location }) => location === "/home").length).toBe(1);
		expect(new Set(answers.map(errorOf))).toEqual(new Set([null, "state_mismatch"]));
		expect(Number((await world.database.query('select count(*) as n from "session"'))[0]?.n)).toBe(1);
	});

	// threat 8
	it("create one user and one account from 50 first sign-ins of one identity, which can sign in again", async () => {
		const world = await createWorld({ database, ...withProviders() });
		const tenantId = await world.newTenant();
		const flows = await Promise.all(Array.from({ length: 50 }, () => startSocial(world, idp(), tenantId, ada)));
		const answers = await Promise.all(flows.map(({ browser, callback }) => world.call(callback, { browser })));
		expect(answers.map(({ location }) => location)).toEqual(Array.from({ length: 50 }, () => "/home"));
		for (const table of ["user", "account"]) {
			expect(Number((await world.database.query(`select count(*) as n from "${table}"`))[0]?.n)).toBe(1);
		}
		const again = await startSocial(world, idp(), tenantId, ada);
		expect((await world.call(again.callback, { browser: again.browser })).location).toBe("/home");
	});
});
