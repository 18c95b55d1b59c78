import type { ManagementAttempt } from "better-auth-tenants";
import { describe, expect, it } from "vitest";
import { type InvitingWorld, invitingWorld, outcome } from "./support/inviting-world.ts";

const ADA = "ada@example.com";
const NOT_FOUND = [404, "INVITATION_NOT_FOUND"];
const ROLE_NOT_ALLOWED = [403, "INVITATION_ROLE_NOT_ALLOWED"];

/** Lets every user through, as an application might by mistake. */
const authorize = ({ tenantId, session }: ManagementAttempt): boolean => session?.session.tenantId === tenantId;

describe("who may invite", () => {
	// threat 113
	it("refuses strangers, members, and the admins of another tenant", async () => {
		const world = await invitingWorld();
		const { a, b } = world;
		await world.tokenFor(a, ADA);
		const [row] = await world.rows("tenantInvitation");
		const callers = {
			stranger: undefined,
			member: await world.member(a, "member@example.com", "member"),
			neighbor: await world.member(b, "owner@example.com", "owner"),
		};
		const before = JSON.stringify(await world.rows("tenantInvitation"));
		const mails = world.sent.length;
		for (const [name, browser] of Object.entries(callers)) {
			const answers = [
				await world.invite({ tenantId: a, email: "eve@example.com" }, { browser }),
				await world.call("/tenant/invitation/list", { browser, query: { tenantId: a } }),
				await world.call("/tenant/invitation/resend", { browser, body: { tenantId: a, id: row?.id } }),
				await world.call("/tenant/invitation/revoke", { browser, body: { tenantId: a, id: row?.id } }),
			];
			const refused = browser ? [403, "TENANT_MANAGEMENT_NOT_ALLOWED"] : [401, "TENANT_MANAGEMENT_UNAUTHORIZED"];
			expect([name, ...answers.map(outcome)]).toEqual([name, refused, refused, refused, refused]);
		}
		expect([JSON.stringify(await world.rows("tenantInvitation")), world.sent.length]).toEqual([before, mails]);
	});

	// threat 113
	it.each([{}, { management: { authorize } }])(
		"lets nobody grant a role above their own, or change such an invitation (%o)",
		async (given) => {
			const world = await invitingWorld(given);
			const { a } = world;
			const owner = { browser: await world.member(a, "owner@example.com", "owner") };
			const admin = { browser: await world.member(a, "admin@example.com", "admin") };
			const member = { browser: await world.member(a, "member@example.com", "member") };
			const tryRoles = async (by: object, who: string) =>
				Promise.all(
					["owner", "admin", "member"].map(
						async (role) =>
							(await world.invite({ tenantId: a, email: `${role}-by-${who}@example.com`, role }, by)).status,
					),
				);
			expect(await tryRoles(owner, "owner")).toEqual([200, 200, 200]);
			expect(await tryRoles(admin, "admin")).toEqual([403, 200, 200]);
			expect(await tryRoles(member, "member")).toEqual([403, 403, 403]);
			expect(await tryRoles({ operator: true }, "operator")).toEqual([200, 200, 200]);
			for (const role of ["root", "owner,admin", "", ["owner"]]) {
				const answer = await world.call("/tenant/invitation/create", {
					operator: true,
					body: { tenantId: a, email: ADA, role },
				});
				expect([role, answer.status]).toEqual([role, 400]);
			}

			const ofOwner = (await world.rows("tenantInvitation")).find(
				({ email }) => email === "owner-by-owner@example.com",
			);
			const body = { tenantId: a, id: ofOwner?.id };
			for (const path of ["/tenant/invitation/resend", "/tenant/invitation/revoke"])
				expect(outcome(await world.call(path, { ...admin, body }))).toEqual(ROLE_NOT_ALLOWED);
			expect((await world.call("/tenant/invitation/resend", { ...owner, body })).status).toBe(200);
			expect(world.sent.at(-1)?.inviter).toEqual({ name: "Ada", email: "owner@example.com" });
		},
	);
});

describe("an inviter who is", () => {
	const change: Record<string, (world: InvitingWorld, email: string) => Promise<unknown>> = {
		removed: (world, email) => world.database.query(`delete from "user" where "email" = '${email}'`),
		banned: (world, email) => world.database.query(`update "user" set "banned" = 1 where "email" = '${email}'`),
		demoted: (world, email) => world.database.query(`update "user" set "role" = 'member' where "email" = '${email}'`),
	};
	// threat 113
	it.each(Object.keys(change))("%s leaves no valid invitation behind", async (fate) => {
		const world = await invitingWorld();
		const { a, b } = world;
		const [gone, stays] = ["gone@example.com", "stays@example.com"];
		const by = { browser: await world.member(a, gone, "admin") };
		const token = await world.tokenFor(a, ADA, "member", by);
		const others = [
			await world.tokenFor(a, "bob@example.com", "member", { browser: await world.member(a, stays, "admin") }),
			await world.tokenFor(b, ADA, "member", { browser: await world.member(b, gone, "admin") }),
		];
		expect((await world.call("/tenant/invitation/get", { query: { token } })).status).toBe(200);
		await change[fate]?.(world, `${gone}' and "tenantId" = '${a}`);
		for (const answer of [await world.accept(token), await world.call("/tenant/invitation/get", { query: { token } })])
			expect(outcome(answer)).toEqual(NOT_FOUND);
		// also not those of others in this tenant, nor of the user with the same address in another tenant
		for (const other of others) expect((await world.accept(other)).status).toBe(200);

		// whoever sends it again answers for it
		const row = (await world.rows("tenantInvitation")).find(({ tenantId }) => tenantId === a);
		const body = { tenantId: a, id: row?.id };
		expect((await world.call("/tenant/invitation/resend", { operator: true, body })).status).toBe(200);
		expect((await world.accept(world.sent.at(-1)?.token ?? "")).status).toBe(200);
	});
});
