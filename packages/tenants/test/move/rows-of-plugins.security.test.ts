import { oauthProvider } from "@better-auth/oauth-provider";
import { sso } from "@better-auth/sso";
import type { BetterAuthPlugin } from "better-auth";
import { jwt } from "better-auth/plugins";
import { composedWorld } from "test-kit/composed-world";
import { describe, expect, it } from "vitest";
import { moveUsersToTenant, runWithTenant } from "../../src/index.ts";

const user = { type: "string", required: true, references: { model: "user", field: "id" } } as const;

/** An application's own plugin: a row of two users, and a row below it. */
const friends = {
	id: "friends",
	schema: {
		friendship: { fields: { one: user, other: user } },
		message: {
			fields: {
				friendshipId: { type: "string", required: true, references: { model: "friendship", field: "id" } },
				text: { type: "string", required: true },
			},
		},
	},
} satisfies BetterAuthPlugin;

const createRows = async (plugins: BetterAuthPlugin[], database: "sqlite" | "postgres" | "mysql" = "sqlite") => {
	const world = await composedWorld(plugins, { database });
	const { adapter } = await world.auth.$context;
	const add = (tenant: string, model: string, data: Record<string, unknown>) =>
		runWithTenant(tenant, () => adapter.create<Record<string, unknown>, { id: string }>({ model, data }));
	const signUp = async (tenant: string, name: string): Promise<string> =>
		(await world.whoami(await world.signUp(tenant, `${name}@example.com`))).user.id;
	return { ...world, add, signUp };
};

describe.each(["sqlite", "postgres", "mysql"] as const)("rows of two users on %s", (database) => {
	// threat 86
	it("move with both users in one transaction, and not with one of them", async () => {
		const { a, b, auth, add, signUp, tenantsOf } = await createRows([friends], database);
		const [ada, grace, inB] = [await signUp(a, "ada"), await signUp(a, "grace"), await signUp(b, "edsger")];
		const { id: friendshipId } = await add(a, "friendship", { one: ada, other: grace });
		await add(a, "message", { friendshipId, text: "hello" });
		const { id: other } = await add(b, "friendship", { one: inB, other: inB });
		await add(b, "message", { friendshipId: other, text: "hello" });

		const call = { from: a, to: b, batchSize: 1 };
		for (const userId of [ada, grace]) {
			const { moved, collisions } = await moveUsersToTenant(auth, { ...call, userIds: [userId] });
			expect([moved, collisions]).toMatchObject([0, [{ userId, code: "ROW_STAYS_BEHIND", table: "friendship" }]]);
		}
		expect([await tenantsOf("friendship"), await tenantsOf("message")]).toEqual([[a, b].sort(), [a, b].sort()]);
		const steps: number[] = [];
		const onProgress = ({ moved }: { moved: number }) => void steps.push(moved);
		expect(await moveUsersToTenant(auth, { ...call, userIds: [ada, grace], onProgress })).toMatchObject({ moved: 2 });
		expect(steps[0]).toBe(2);
		expect([await tenantsOf("friendship"), await tenantsOf("message")]).toEqual([
			[b, b],
			[b, b],
		]);
	});
});

describe("rows of a tenant", () => {
	// threat 84
	it("keep an OAuth client's owner in the tenant, and release an SSO provider from its user", async () => {
		const plugins = [jwt(), oauthProvider({ loginPage: "/login", consentPage: "/consent" }), sso()];
		const { a, b, auth, add, signUp, database } = await createRows(plugins);
		const [ada, grace] = [await signUp(a, "ada"), await signUp(a, "grace")];
		await signUp(b, "edsger");
		await add(a, "oauthClient", { clientId: "client", redirectUris: ["https://rp.example/"], userId: ada });
		await add(a, "ssoProvider", { providerId: "okta", issuer: "https://idp", domain: "acme.example", userId: grace });
		const refused = await moveUsersToTenant(auth, { from: a, to: b, userIds: [ada, grace] });
		expect([refused.moved, refused.collisions]).toMatchObject([
			0,
			[{ userId: ada, code: "ROW_OF_TENANT", table: "oauthClient" }],
		]);
		expect(await moveUsersToTenant(auth, { from: a, to: b, userIds: [grace] })).toMatchObject({ moved: 1 });
		expect(await database.query('select "tenantId", "userId" from "ssoProvider"')).toEqual([
			{ tenantId: a, userId: null },
		]);
		expect((await database.query('select "tenantId" from "oauthClient"'))[0]?.tenantId).toBe(a);
	});
});
