import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { ADA, createPlanted, type PlantedWorld } from "./support/planted-world.ts";

const PHONE = "+15550100";

/** Adds every way in that an unverified user can add. */
const plant = async (world: PlantedWorld, tenant: string, browser: Browser) => {
	const { call, codes } = world;
	const key = String((await world.ok("/api-key/create", { browser, body: { name: "ci" } })).json.key);
	await world.ok("/phone-number/send-otp", { tenant, browser, body: { phoneNumber: PHONE } });
	const body = { phoneNumber: PHONE, code: codes.at(-1), updatePhoneNumber: true };
	await world.ok("/phone-number/verify", { tenant, browser, body });
	const { user } = (await world.ok("/get-session", { browser })).json;
	const { internalAdapter } = await world.auth.$context;
	const account = { userId: user.id, providerId: "gitlab", accountId: "eve" };
	await runWithTenant(tenant, () => internalAdapter.createAccount(account));
	const byPhone = async () =>
		(await call("/sign-in/phone-number", { tenant, body: { phoneNumber: PHONE, password: PASSWORD } })).status;
	const byCode = async () => {
		await call("/phone-number/send-otp", { tenant, body: { phoneNumber: PHONE } });
		return (await call("/phone-number/verify", { tenant, body: { phoneNumber: PHONE, code: codes.at(-1) } })).status;
	};
	const byKey = async () => (await call("/get-session", { tenant, headers: { "x-api-key": key } })).status;
	return async () => ({
		key: await byKey(),
		phone: await byPhone(),
		code: await byCode(),
		session: await world.isSignedIn(browser),
		accounts: await world.accountsIn(tenant),
	});
};

const ALL = { key: 200, phone: 200, code: 200, session: true, accounts: ["credential", "gitlab"] };

describe.each([
	["sqlite", {}],
	["with the plugin for administration, on mysql", { isAdministered: true, database: "mysql" as const }],
	["with the plugin for administration, on postgres", { isAdministered: true, database: "postgres" as const }],
])("other ways in from before the proof (%s)", (_, where) => {
	// threat 4
	it.each(["the link of a mail", "a magic link"])("end with it, by %s", async (way) => {
		const world = await createPlanted(where);
		const { a, b, eve } = world;
		const [inA, inB] = [await plant(world, a, eve.a), await plant(world, b, eve.b)];
		for (const waysIn of [inA, inB]) expect(await waysIn()).toEqual(ALL);
		await world.prove[way]?.(new Browser());
		expect(await inA()).toMatchObject({ key: 401, phone: 401, session: false, accounts: [] });
		expect((await world.database.query(`select * from "user"`)).map((row) => [row.tenantId, row.phoneNumber])).toEqual(
			expect.arrayContaining([
				[a, null],
				[b, PHONE],
			]),
		);
		expect(await inB()).toEqual(ALL);
	});

	it("stay if the browser that signed up proves the address", async () => {
		const world = await createPlanted(where);
		const waysIn = await plant(world, world.a, world.eve.a);
		await world.prove["the link of a mail"]?.(world.eve.a);
		expect(await waysIn()).toEqual(ALL);
	});
});

describe("a link that changes the email, from before the proof", () => {
	// threat 4
	it("does not change the address of its owner", async () => {
		const world = await createPlanted();
		const { a, b, eve } = world;
		const urls: string[] = [];
		for (const browser of [eve.a, eve.b]) {
			await world.ok("/change-email", { browser, body: { newEmail: "eve@example.com", callbackURL: "/home" } });
			urls.push(world.lastMail("verify").url);
		}
		await world.prove["the link of a mail"]?.(new Browser());
		for (const url of urls) await world.call(url, { browser: new Browser() });
		expect(
			(await world.database.query(`select * from "user"`)).map(({ tenantId, email }) => [tenantId, email]),
		).toEqual(
			expect.arrayContaining([
				[a, ADA],
				[b, "eve@example.com"],
			]),
		);
	});
});
