import { anonymous } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { createWorld, MANAGEMENT_KEY, PASSWORD } from "test-kit/world";
import { expect, it } from "vitest";
import { withTenants } from "../../src/index.ts";

// threat 65
it("does not link and delete an impersonated anonymous user when the operator signs in", async () => {
	const operators: string[] = [];
	const linked: string[] = [];
	const plugin = anonymous({
		onLinkAccount: async ({ anonymousUser, newUser }) => {
			linked.push(`${anonymousUser.user.id} -> ${newUser.user.email}`);
		},
	});
	const world = await createWorld({
		allPlugins: withTenants(
			{
				management: { keys: [MANAGEMENT_KEY], userIds: operators, audit: () => {}, impersonation: {} },
				deletion: { drainTime: 0 },
			},
			[plugin],
		),
	});
	const tenant = await world.newTenant("acme");
	const guest = new Browser();
	const made = await world.call("/sign-in/anonymous", { tenant, browser: guest, body: {} });
	const guestId = made.json.user.id;
	// the operator also has an account in the tenant (sign-up is open)
	await world.signUp(tenant, "mallory@example.com");
	const operator = await world.signUp(undefined, "operator@example.com");
	operators.push((await world.call("/get-session", { browser: operator })).json.user.id);

	const impersonated = await world.call("/tenant/impersonate", {
		browser: operator,
		body: { tenantId: tenant, userId: guestId, reason: "ticket" },
	});
	expect(impersonated.status).toBe(200);
	await world.call("/sign-in/email", {
		tenant,
		browser: operator,
		body: { email: "mallory@example.com", password: PASSWORD },
	});
	expect(linked).toEqual([]);
	expect(await world.database.query(`select "id" from "user" where "id" = '${guestId}'`)).toHaveLength(1);
});
