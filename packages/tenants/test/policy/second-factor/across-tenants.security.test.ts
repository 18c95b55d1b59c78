import { passkey } from "@better-auth/passkey";
import { createAuthenticator } from "test-kit/authenticator";
import { Browser } from "test-kit/browser";
import { ORIGIN, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { EMAIL, REFUSED, secondFactorWorld, tokenIn } from "./support.ts";

describe.each([
	["sqlite", {}],
	["postgres", { database: "postgres" as const }],
	["postgres and Redis", { database: "postgres" as const, redis: true }],
])("the second factor of the same email in another tenant (%s)", (_, given) => {
	// threat 118
	it("completes nothing: neither a code, a backup code, a challenge nor a trusted device", async () => {
		const { a, b, ok, call, signUp, enroll, require, signIn, whoami, last } = await secondFactorWorld(given);
		const [mine, theirs] = [await enroll(await signUp(a, EMAIL)), await enroll(await signUp(b, EMAIL))];
		for (const tenant of [a, b]) await require(tenant);
		const challenged = async (tenant: string): Promise<Browser> => {
			const browser = new Browser();
			expect((await signIn(tenant, browser)).json.secondFactor).toBe("verify");
			return browser;
		};
		const rejected = async (path: string, browser: Browser, code: string | undefined, tenant?: string) => {
			const { status } = await call(`/two-factor/${path}`, { browser, tenant, body: { code } });
			expect([path, status >= 400, await whoami(browser.copy())]).toEqual([path, true, null]);
			expect(tokenIn(browser)).toBe("");
		};
		// the neighbor's codes
		const waiting = await challenged(a);
		await rejected("verify-backup-code", waiting, theirs.backupCodes[0]);
		if ((await mine.code()) !== (await theirs.code())) await rejected("verify-totp", waiting, await theirs.code());
		const neighbor = await challenged(b);
		await ok("/two-factor/send-otp", { browser: neighbor, body: {} });
		const mailed = last("factor");
		await ok("/two-factor/send-otp", { browser: waiting, body: {} });
		if (mailed !== last("factor")) await rejected("verify-otp", waiting, mailed);
		// the neighbor's challenge, here; and this one, named as the neighbor's
		for (const [browser, tenant] of [
			[neighbor, a],
			[waiting, b],
		] as const) {
			await rejected("verify-totp", browser.copy(), await mine.code(), tenant);
			await rejected("verify-backup-code", browser.copy(), mine.backupCodes[1], tenant);
		}
		// both challenges in one browser
		const both = neighbor.copy();
		for (const [name, value] of waiting.cookies) if (name.includes("two_factor")) both.cookies.set(name, value);
		await rejected("verify-backup-code", both, theirs.backupCodes[2]);

		// each code still works at home, once
		const { backupCodes } = mine;
		await ok("/two-factor/verify-backup-code", { browser: waiting, body: { code: backupCodes[0] } });
		expect((await whoami(waiting)).user.tenantId).toBe(a);
		await rejected("verify-backup-code", await challenged(a), backupCodes[0]);
		await ok("/two-factor/verify-backup-code", { browser: neighbor, body: { code: theirs.backupCodes[0] } });
		expect((await whoami(neighbor)).user.tenantId).toBe(b);
	});

	// threat 118
	it("is not replaced by a passkey that a first factor registers", async () => {
		const { a, b, ok, call, signUp, enroll, require, signIn, asMember, database } = await secondFactorWorld({
			...given,
			plugins: [passkey({ rpID: "localhost", origin: ORIGIN })],
		});
		const neighbor = await signUp(b, EMAIL);
		await enroll(await signUp(a, EMAIL));
		await signUp(a, "bob@example.com");
		await require(a, { secondFactor: "required", trustPasskeys: true });
		const [verify, setUp] = [new Browser(), new Browser()];
		await signIn(a, verify);
		expect((await signIn(a, setUp, { email: "bob@example.com" })).json.secondFactor).toBe("enroll");
		for (const browser of [verify, setUp]) {
			expect((await call("/passkey/generate-register-options", { browser })).status).toBe(401);
			// with a challenge that the neighbor's own user may answer
			const asked = (await ok("/passkey/generate-register-options", { browser: neighbor })).json;
			const response = createAuthenticator({ origin: ORIGIN, rpId: "localhost" }).register(asked as never);
			const mixed = browser.copy();
			for (const [name, value] of neighbor.cookies) if (name.includes("passkey")) mixed.cookies.set(name, value);
			const refused = await call("/passkey/verify-registration", { browser: mixed, body: { response } });
			expect(refused.status).toBe(401);
		}
		const rows = await database.query(`select "tenantId" from "passkey"`);
		expect(rows.filter(({ tenantId }) => tenantId === a)).toEqual([]);
		expect(await asMember({ browser: setUp })).toEqual(REFUSED);
		expect((await call("/two-factor/enable", { browser: verify, body: { password: PASSWORD } })).status).toBe(401);
	});
});
