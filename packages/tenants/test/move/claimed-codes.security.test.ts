import { emailOTP } from "better-auth/plugins/email-otp";
import { phoneNumber } from "better-auth/plugins/phone-number";
import { composedWorld } from "test-kit/composed-world";
import { expect, it } from "vitest";
import { moveUsersToTenant } from "../../src/index.ts";

// threat 82
it("moving a user ends the codes for their phone number and their change of email, and no neighbor's", async () => {
	const codes = new Map<string, string>();
	const keep = ({ phoneNumber: phone, code }: { phoneNumber: string; code: string }) => void codes.set(phone, code);
	const world = await composedWorld([
		phoneNumber({ sendOTP: keep, sendPasswordResetOTP: keep }),
		emailOTP({ sendVerificationOTP: async () => {}, changeEmail: { enabled: true } }),
	]);
	const { a, b, ok } = world;
	const openCodes = async (name: string, phone: string) => {
		const browser = await world.signUp(a, `${name}@example.com`);
		await ok("/phone-number/send-otp", { browser, body: { phoneNumber: phone } });
		const body = { phoneNumber: phone, code: codes.get(phone), updatePhoneNumber: true };
		await ok("/phone-number/verify", { browser, body });
		await ok("/phone-number/send-otp", { tenant: a, body: { phoneNumber: phone } });
		await ok("/phone-number/request-password-reset", { tenant: a, body: { phoneNumber: phone } });
		await ok("/email-otp/request-email-change", { browser, body: { newEmail: `${name}-new@example.com` } });
		return (await world.whoami(browser)).user.id as string;
	};
	const stored = async () =>
		(await world.database.query('select "identifier" from "verification"')).map(({ identifier }) => identifier).sort();
	await openCodes("grace", "+15550001");
	const ofNeighbor = await stored();
	const ada = await openCodes("ada", "+15550002");
	expect([ofNeighbor.length, (await stored()).length]).toEqual([3, 6]);
	expect((await moveUsersToTenant(world.auth, { from: a, to: b, userIds: [ada] })).moved).toBe(1);
	expect(await stored()).toEqual(ofNeighbor);
});
