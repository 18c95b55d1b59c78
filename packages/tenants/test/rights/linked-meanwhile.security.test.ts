import { PASSWORD } from "test-kit/world";
import { expect, it } from "vitest";
import { tenantInvitations } from "../../src/admin.ts";
import { runWithTenant } from "../../src/index.ts";
import { createAdministered } from "../admin/support/administered.ts";

// threat 161
it.each(["sqlite", "mysql"] as const)(
	"an invitation on %s ends what was added while it was accepted",
	async (database) => {
		let meanwhile: (() => Promise<unknown>) | null = null;
		let token = "";
		const { world, a, inA, inB } = await createAdministered({
			database,
			plugins: [
				tenantInvitations({
					acceptURL: "https://app.example.com/invitation",
					sendInvitation: async (sent) => {
						token = sent.token;
					},
				}),
			],
			engine: {
				databaseHooks: {
					user: {
						update: {
							before: async () => {
								const now = meanwhile;
								meanwhile = null;
								await now?.();
							},
						},
					},
				},
			},
		});
		const { member } = inA;
		const { internalAdapter } = await world.auth.$context;
		await runWithTenant(a, () => internalAdapter.updateUser(member.id, { emailVerified: true }));
		await world.ok("/tenant/invitation/create", {
			operator: true,
			body: { tenantId: a, email: member.email, role: "owner" },
		});
		for (const { browser } of [member, inB.member])
			await world.ok("/two-factor/enable", { browser, body: { password: PASSWORD } });
		// in another transaction, after the acceptance read the accounts of the user; SQLite has one connection
		if (database === "mysql")
			meanwhile = () =>
				world.database.query(
					`insert into "account" ("id", "accountId", "providerId", "userId", "createdAt", "updatedAt", "tenantId") values ('planted', 'mallory', 'google', '${member.id}', now(), now(), '${a}')`,
				);
		await world.ok("/tenant/invitation/accept", { browser: member.browser, body: { token, password: PASSWORD } });
		expect(meanwhile).toBeNull();
		const accounts = await world.database.query(`select "userId", "providerId" from "account"`);
		expect(accounts.filter(({ userId }) => userId === member.id).map(({ providerId }) => providerId)).toEqual([
			"credential",
		]);
		const factors = await world.database.query(`select "userId" from "twoFactor"`);
		expect(factors.map(({ userId }) => userId)).toEqual([inB.member.id]);
		expect((await world.ok("/get-session", { browser: member.browser })).json.user.role).toBe("owner");
	},
);
