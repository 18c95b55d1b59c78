import { expect, it } from "vitest";
import { readTag, withTag } from "../../src/scope/pin/tag.ts";
import { invitingWorld, outcome } from "./support/inviting-world.ts";

const ADA = "ada@example.com";
const NOT_FOUND = [404, "INVITATION_NOT_FOUND"];

// threat 112
it("treats a token of another tenant, an expired one and a made-up one alike", async () => {
	const world = await invitingWorld();
	const { a, b } = world;
	const token = await world.tokenFor(a, ADA, "owner");
	const random = readTag(token)?.value ?? "";
	await world.tokenFor(b, "bob@example.com");
	const attempts: [token: string, tenant?: string][] = [
		["x".repeat(32)],
		[withTag("x".repeat(32), a)],
		[withTag(random, "no-such-tenant")],
		[withTag(random, b)],
		[random],
		[random, b],
		[token, b],
		[withTag(random, b), b],
		[`${token}x`],
		[token.toUpperCase()],
	];
	const seen = new Set<string>();
	for (const [tried, tenant] of attempts) {
		const got = await world.call("/tenant/invitation/get", { tenant, query: { token: tried } });
		const accepted = await world.accept(tried, { tenant });
		expect([tried, ...outcome(got), ...outcome(accepted)]).toEqual([tried, ...NOT_FOUND, ...NOT_FOUND]);
		for (const { text } of [got, accepted]) seen.add(text);
	}
	expect(seen.size).toBe(1);
	expect(await world.users()).toEqual([]);
	// two values in one request cannot choose a tenant each
	const split = await world.call("/tenant/invitation/accept", {
		query: { token: withTag(random, b) },
		body: { token, name: "Ada", password: "correct horse battery" },
	});
	expect(outcome(split)).toEqual(NOT_FOUND);
	expect((await world.accept(token, { tenant: a })).status).toBe(200);
});

// threat 112
it("ends with its lifetime, and lives again when it is sent again", async () => {
	const world = await invitingWorld({ invitations: { expiresIn: 60 } });
	const { a, b } = world;
	const token = await world.tokenFor(a, ADA);
	const other = await world.tokenFor(b, ADA);
	const past = new Date(Date.now() - 1_000).toISOString();
	await world.database.query(`update "tenantInvitation" set "expiresAt" = '${past}' where "tenantId" = '${a}'`);
	for (const answer of [await world.accept(token), await world.call("/tenant/invitation/get", { query: { token } })])
		expect(outcome(answer)).toEqual(NOT_FOUND);
	expect((await world.accept(other)).status).toBe(200);
	const [row] = await world.rows("tenantInvitation");
	const body = { tenantId: a, id: row?.id };
	expect((await world.call("/tenant/invitation/resend", { operator: true, body })).status).toBe(200);
	expect((await world.accept(world.sent.at(-1)?.token ?? "")).status).toBe(200);
	expect((await world.users()).map(({ tenantId }) => tenantId).sort()).toEqual([a, b].sort());
});

// threat 112
it("is used up by a failed sign-up only if a user was created", async () => {
	const world = await invitingWorld({
		engine: {
			databaseHooks: {
				account: {
					create: {
						before: async () => {
							if (isBroken) throw new Error("a hook of the application failed");
						},
					},
				},
			},
		},
	});
	let isBroken = true;
	const token = await world.tokenFor(world.a, ADA, "admin");
	expect((await world.accept(token, { fields: { name: "Ada", password: "short" } })).code).toBe("PASSWORD_TOO_SHORT");
	expect((await world.accept(token)).status).toBe(500);
	expect([await world.users(), (await world.rows("tenantInvitation")).length]).toEqual([[], 1]);
	isBroken = false;
	expect((await world.accept(token)).status).toBe(200);
});
