import { randomBytes } from "node:crypto";
import { phoneNumber } from "better-auth/plugins/phone-number";
import { siwe } from "better-auth/plugins/siwe";
import { Browser } from "test-kit/browser";
import { passTime } from "test-kit/pass-time";
import { describe, expect, it } from "vitest";
import { type InvitingWorld, invitingWorld, outcome } from "./support/inviting-world.ts";

const ADA = "ada@example.com";
const EVE = "eve@example.com";
const NEW = "ada@new.example.com";
const OWN_PASSWORD = "a password of her own";
const NUMBER = "+15550100";
const WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

const start = async (where: object) => {
	const codes: string[] = [];
	const keep = ({ code }: { code: string }) => void codes.push(code);
	const world = await invitingWorld({
		...where,
		plugins: [
			phoneNumber({ sendOTP: keep, sendPasswordResetOTP: keep }),
			siwe({
				domain: "localhost:3000",
				anonymous: false,
				getNonce: async () => randomBytes(16).toString("hex"),
				verifyMessage: async () => true,
			}),
		],
	});
	return { world, codes };
};

/** Signs in with Eve's wallet. A new user gets Ada's address, if it is free. */
const withWallet = async ({ call }: InvitingWorld, tenant: string): Promise<Browser> => {
	const browser = new Browser();
	const { nonce } = (await call("/siwe/nonce", { tenant, body: {} })).json;
	const message = [
		"localhost:3000 wants you to sign in with your Ethereum account:",
		`${WALLET}\n\n`,
		"URI: http://localhost:3000",
		"Version: 1",
		"Chain ID: 1",
		`Nonce: ${nonce}`,
		`Issued At: ${new Date().toISOString()}`,
	].join("\n");
	await call("/siwe/verify", { tenant, browser, body: { message, signature: "0x00", email: ADA } });
	return browser;
};

/** Signs up with Ada's address and Eve's wallet, and adds Eve's phone number. */
const plant = async (world: InvitingWorld, codes: string[], tenant: string) => {
	const { call } = world;
	const browser = await withWallet(world, tenant);
	await call("/phone-number/send-otp", { browser, body: { phoneNumber: NUMBER } });
	const added = { phoneNumber: NUMBER, code: codes.at(-1), updatePhoneNumber: true };
	await call("/phone-number/verify", { browser, body: added });
	const withNumber = async (): Promise<Browser> => {
		const visitor = new Browser();
		await call("/phone-number/send-otp", { tenant, body: { phoneNumber: NUMBER } });
		const body = { phoneNumber: NUMBER, code: codes.at(-1) };
		await call("/phone-number/verify", { tenant, browser: visitor, body });
		return visitor;
	};
	const isAda = async (visitor: Browser): Promise<boolean> =>
		(await call("/get-session", { browser: visitor })).json?.user.email === ADA;
	return { waysIn: async () => [await isAda(await withNumber()), await isAda(await withWallet(world, tenant))] };
};

/** Ada verifies her address and chooses a password of her own. */
const claim = async (world: InvitingWorld, tenant: string): Promise<Browser> => {
	await world.call("/send-verification-email", { tenant, body: { email: ADA, callbackURL: "/home" } });
	await world.call(world.lastMail("verify").url, { browser: new Browser() });
	await world.call("/request-password-reset", { tenant, body: { email: ADA, redirectTo: "/reset" } });
	const { token } = world.lastMail("reset");
	await world.call("/reset-password", { tenant, body: { token, newPassword: OWN_PASSWORD } });
	const browser = new Browser();
	await world.call("/sign-in/email", { tenant, browser, body: { email: ADA, password: OWN_PASSWORD } });
	return browser;
};

// without Redis, where the plugin cannot reserve an address for a wallet
describe.each([
	["sqlite", {}],
	["postgres", { database: "postgres" as const }],
])("a user whose address somebody else signed up with (%s)", (_, where) => {
	// threat 124
	it("gets a higher role without the phone number and the wallet of the other", async () => {
		const { world, codes } = await start(where);
		const { a, b } = world;
		const [eve, neighbor] = [await plant(world, codes, a), await plant(world, codes, b)];
		for (const { waysIn } of [eve, neighbor]) expect(await waysIn()).toEqual([true, true]);
		const token = await world.tokenFor(a, ADA, "owner");
		const ada = await claim(world, a);
		expect((await world.acceptAs(ada, token, { password: OWN_PASSWORD })).json.user).toMatchObject({ role: "owner" });
		expect(await eve.waysIn()).toEqual([false, false]);
		expect((await world.call("/get-session", { browser: ada })).json.user).toMatchObject({ email: ADA, role: "owner" });
		// the neighbor has lost nothing
		expect(await neighbor.waysIn()).toEqual([true, true]);
	});
});

describe.each([
	["sqlite", {}],
	["postgres", { database: "postgres" as const }],
	["Redis", { redis: true }],
])("a user with a role that rose (%s)", (_, where) => {
	// threat 124
	it("keeps their address, whatever links to change it somebody else asked for before", async () => {
		const world = await invitingWorld(where);
		const { a, b } = world;
		const links = new Map<string, string>();
		for (const tenant of [a, b]) {
			const browser = await world.signUp(tenant, ADA);
			await world.call("/change-email", { browser, body: { newEmail: EVE } });
			links.set(tenant, world.lastMail("verify").token);
		}
		const token = await world.tokenFor(a, ADA, "owner");
		const ada = await claim(world, a);
		expect((await world.acceptAs(ada, token, { password: OWN_PASSWORD })).status).toBe(200);
		const open = (tenant: string, browser: Browser) =>
			world.call("/verify-email", { tenant, browser, query: { token: links.get(tenant) ?? "" } });
		const eve = new Browser();
		expect(outcome(await open(a, eve))).toEqual([401, "INVALID_TOKEN"]);
		expect((await world.call("/get-session", { browser: eve })).json).toBeNull();
		expect((await world.call("/get-session", { browser: ada })).json.user).toMatchObject({ email: ADA, role: "owner" });
		// nobody's role rose there
		expect((await open(b, new Browser())).status).toBe(200);
		// her own links work
		passTime(1_000);
		await world.call("/change-email", { browser: ada, body: { newEmail: NEW } });
		await world.call(world.lastMail("change").url, { browser: ada });
		await world.call(world.lastMail("verify").url, { browser: ada });
		const emails = new Map((await world.users()).map(({ tenantId, email }) => [tenantId, email]));
		expect([emails.get(a), emails.get(b)]).toEqual([NEW, EVE]);
	});
});
