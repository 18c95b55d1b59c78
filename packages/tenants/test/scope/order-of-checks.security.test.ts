import { expect, it } from "vitest";
import { createLimited, knock } from "../limits/limited-world.ts";

// threat 63
it("a request of a tenant over its limit costs no statement, also one that would read the tenant's OAuth configs", async () => {
	const google = { clientId: "id", clientSecret: "secret" };
	const { world, a, b } = await createLimited(
		{ perTenant: { window: 600, max: 2 } },
		{ engine: { socialProviders: { google } } },
	);
	const start = (tenant: string) =>
		knock(world, "/sign-in/social", { tenant, body: { provider: "google", callbackURL: "/home" } });
	const statementsOf = async (tenant: string) => {
		world.database.statements.length = 0;
		const { status } = await start(tenant);
		return [status, world.database.statements.length > 0];
	};
	// known and open, but its OAuth configs have not been read
	for (let count = 0; count < 2; count += 1) await knock(world, "/get-session", { tenant: a });
	expect(await statementsOf(a)).toEqual([429, false]);
	expect(await statementsOf(b)).toEqual([200, true]);
});
