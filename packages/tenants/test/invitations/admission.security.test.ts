import type { GenericEndpointContext } from "@better-auth/core";
import { runWithTenant } from "better-auth-tenants";
import { describe, expect, it } from "vitest";
import { invitationAdmission } from "../../src/features/invitations/admission.ts";
import { type InvitingWorld, invitingWorld } from "./support/inviting-world.ts";

const ADA = "ada@example.com";

/** As a hook of the engine calls it. */
const admissionOf = async ({ auth }: InvitingWorld) =>
	invitationAdmission({ context: await auth.$context } as GenericEndpointContext);

describe("a policy that admits invited users", () => {
	// threat 112
	it("admits a verified address with an open invitation of this tenant", async () => {
		const world = await invitingWorld();
		const { a, b } = world;
		const { admits } = await admissionOf(world);
		const ask = (tenantId: string, email: string, emailVerified = true) =>
			runWithTenant(tenantId, () => admits({ tenantId, email, emailVerified }));
		await world.tokenFor(a, ADA);
		expect([await ask(a, ADA), await ask(a, "ADA@example.com")]).toEqual([true, true]);
		expect([await ask(b, ADA), await ask(a, "eve@example.com"), await ask("platform", ADA)]).toEqual([
			false,
			false,
			false,
		]);
		// anyone can sign up with an address that they only know
		expect(await ask(a, ADA, false)).toBe(false);
		const [row] = await world.rows("tenantInvitation");
		await world.call("/tenant/invitation/revoke", { operator: true, body: { tenantId: a, id: row?.id } });
		expect(await ask(a, ADA)).toBe(false);
	});

	// threat 112
	it("uses up the invitation, unless its token still grants a role", async () => {
		const world = await invitingWorld();
		const { a, b } = world;
		const { markUsed } = await admissionOf(world);
		const use = (tenantId: string, email: string) =>
			runWithTenant(tenantId, () => markUsed({ tenantId, email, emailVerified: true }));
		for (const tenantId of [a, b]) {
			await world.tokenFor(tenantId, ADA);
			await world.tokenFor(tenantId, "bob@example.com", "admin");
		}
		await use(a, ADA);
		await use(a, "bob@example.com");
		await use(a, "eve@example.com");
		const left = (await world.rows("tenantInvitation")).map(({ tenantId, role }) => [tenantId, role]);
		expect(left.sort()).toEqual(
			[
				[a, "admin"],
				[b, "member"],
				[b, "admin"],
			].sort(),
		);
	});

	// threat 112
	it("is told about the user whom an accepted invitation creates", async () => {
		const asked: boolean[] = [];
		const world = await invitingWorld({
			engine: {
				databaseHooks: {
					user: {
						create: {
							before: async ({ email, emailVerified }, ctx) => {
								if (!ctx) return;
								const { admits } = invitationAdmission(ctx);
								for (const tenantId of [world.a, world.b]) asked.push(await admits({ tenantId, email, emailVerified }));
							},
						},
					},
				},
			},
		});
		expect((await world.accept(await world.tokenFor(world.a, ADA))).status).toBe(200);
		expect(asked).toEqual([true, false]);
	});
});
