import { PASSWORD } from "test-kit/world";
import { expect, it } from "vitest";
import { createAdministered } from "../admin/support/administered.ts";

/** A member of whom somebody had the session for a moment, and asked for a link to an address of their own. */
const createLinked = async () => {
	const administered = await createAdministered({ engine: { user: { changeEmail: { enabled: true } } } });
	const { world, a, b, inA, inB } = administered;
	const { browser } = inA.member;
	const links: string[] = [];
	for (const { member } of [inA, inB]) {
		await world.ok("/change-email", { browser: member.browser.copy(), body: { newEmail: "eve@example.com" } });
		links.push(world.lastMail("verify").url);
	}
	/** Opens the link of each tenant. Whether it changed the address there. */
	const open = async () => {
		for (const link of links) await world.call(link);
		const users = await world.database.query(`select "email", "tenantId" from "user"`);
		const changed = users.filter(({ email }) => email === "eve@example.com").map(({ tenantId }) => tenantId);
		return [a, b].map((tenant) => changed.includes(tenant));
	};
	return { ...administered, browser, open };
};

type Linked = Awaited<ReturnType<typeof createLinked>>;

// threat 161
it.each([
	["an administrator ended all sessions", ({ operate, inA }: Linked) => operate("end-sessions", inA.member)],
	[
		"a ban and its end",
		async ({ operate, inA }: Linked) => {
			await operate("ban", inA.member);
			return operate("unban", inA.member);
		},
	],
	[
		"their other sessions were ended",
		({ world, browser }: Linked) => world.call("/revoke-other-sessions", { browser, body: {} }),
	],
	[
		"a new password",
		({ world, browser }: Linked) => {
			const body = { currentPassword: PASSWORD, newPassword: "another horse battery", revokeOtherSessions: true };
			return world.call("/change-password", { browser, body });
		},
	],
])("a link that changes the email does nothing after %s, and works in another tenant", async (_, end) => {
	const linked = await createLinked();
	expect((await end(linked)).status).toBe(200);
	expect(await linked.open()).toEqual([false, true]);
});

it("a link that changes the email works while nothing has ended", async () => {
	const { open } = await createLinked();
	expect(await open()).toEqual([true, true]);
});
