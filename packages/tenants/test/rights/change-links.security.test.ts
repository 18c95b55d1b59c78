import { PASSWORD } from "test-kit/world";
import { expect, it } from "vitest";
import { createAdministered } from "../admin/support/administered.ts";

/** A member of whom somebody had the session for a moment, and asked for a link to an address of their own. */
const createLinked = async () => {
	const administered = await createAdministered({ engine: { user: { changeEmail: { enabled: true } } } });
	const { world, a, inA } = administered;
	const { browser } = inA.member;
	await world.ok("/change-email", { browser: browser.copy(), body: { newEmail: "eve@example.com" } });
	const { url } = world.lastMail("verify");
	// links have whole seconds
	const open = async () => {
		await world.call(url);
		const users = await world.database.query(`select "email", "tenantId" from "user"`);
		return users.some(({ email, tenantId }) => email === "eve@example.com" && tenantId === a);
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
])("a link that changes the email does nothing after %s", async (_, end) => {
	const linked = await createLinked();
	expect((await end(linked)).status).toBe(200);
	expect(await linked.open()).toBe(false);
});

it("a link that changes the email works while nothing has ended", async () => {
	const { open } = await createLinked();
	expect(await open()).toBe(true);
});
