import { passTime } from "test-kit/pass-time";
import { expect, it } from "vitest";
import { invitingWorld, outcome } from "./support/inviting-world.ts";

const ADA = "ada@example.com";
const MAILS = [429, "TOO_MANY_INVITATION_MAILS"];
const DAY = 86_400_000;

// threat 113
it("sends an address a few mails a day, also if it is revoked and invited again", async () => {
	const world = await invitingWorld({ invitations: { mailsPerAddress: 3 } });
	const { a, b } = world;
	const change = async (action: string) => {
		const row = (await world.rows("tenantInvitation")).find(({ tenantId }) => tenantId === a);
		return world.call(`/tenant/invitation/${action}`, { operator: true, body: { tenantId: a, id: row?.id } });
	};
	await world.tokenFor(a, ADA);
	expect((await change("resend")).status).toBe(200);
	await change("revoke");
	await world.tokenFor(a, ADA);
	expect(outcome(await change("resend"))).toEqual(MAILS);
	await change("revoke");
	expect(outcome(await world.invite({ tenantId: a, email: ADA }))).toEqual(MAILS);
	expect(world.sent).toHaveLength(3);
	// another tenant and another address have their own
	await world.tokenFor(b, ADA);
	await world.tokenFor(a, "bob@example.com");
	passTime(DAY + 1_000);
	await world.tokenFor(a, ADA);
	expect(world.sent).toHaveLength(6);
});

// threat 113
it("sends a tenant's invitations to a number of addresses a day, and keeps a number open", async () => {
	const world = await invitingWorld({ invitations: { addressesPerTenant: 3, maxOpen: 2 } });
	const { a, b } = world;
	const invite = async (name: string) => outcome(await world.invite({ tenantId: a, email: `${name}@example.com` }));
	await world.accept(await world.tokenFor(a, "one@example.com"));
	// an accepted invitation is gone, and its mail was wanted
	await world.tokenFor(a, "two@example.com");
	await world.tokenFor(a, "three@example.com");
	expect(await invite("four")).toEqual([400, "TOO_MANY_INVITATIONS"]);
	const [row] = await world.rows("tenantInvitation");
	await world.call("/tenant/invitation/revoke", { operator: true, body: { tenantId: a, id: row?.id } });
	expect(await invite("four")).toEqual([200, undefined]);
	const last = (await world.rows("tenantInvitation")).find(({ email }) => email === "four@example.com");
	await world.call("/tenant/invitation/revoke", { operator: true, body: { tenantId: a, id: last?.id } });
	expect(await invite("five")).toEqual(MAILS);
	await world.tokenFor(b, "five@example.com");
	passTime(DAY + 1_000);
	expect(await invite("five")).toEqual([200, undefined]);
	// what is neither shown nor counted is deleted with the next invitation
	const kept = (await world.rows("tenantInvitation")).filter(({ tenantId }) => tenantId === a);
	expect(kept.map(({ status }) => status)).toEqual(["open", "open"]);
});

it("refuses what is no address", async () => {
	const world = await invitingWorld();
	for (const email of [
		"",
		"ada",
		"ada@",
		"a@b@c.com",
		`${"a".repeat(250)}@example.com`,
		"ada@example.com\nbcc: x@y.com",
		// a K that becomes the letter in lower case
		"\u212Aim@example.com",
		"kim@wor\u212A.example.com",
	])
		expect(outcome(await world.invite({ tenantId: world.a, email }))).toEqual([400, "INVITATION_INVALID_EMAIL"]);
	expect(world.sent).toEqual([]);
});
