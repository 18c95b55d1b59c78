import { describe, expect, it } from "vitest";
import type { Person } from "../admin/support/administered.ts";
import { createRightsWorld, type RightsWorld } from "./support/rights-world.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** A code of another device that the user has approved, and that the device has not used yet. */
const approve = async ({ world }: RightsWorld, tenant: string, { browser }: Person): Promise<string> => {
	const { json } = await world.ok("/device/code", { tenant, body: { client_id: "tv" } });
	await world.ok(`/device?user_code=${json.user_code}`, { browser: browser.copy() });
	await world.ok("/device/approve", { browser: browser.copy(), body: { userCode: json.user_code } });
	return json.device_code;
};

const redeem = async ({ world }: RightsWorld, tenant: string, code: string): Promise<number> => {
	const body = { grant_type: GRANT, client_id: "tv", device_code: code };
	return (await world.call("/device/token", { tenant, body })).status;
};

describe.each([
	["sqlite", {}],
	["Redis only", { redis: true }],
])("a device that a user approved, with sessions in %s", (_, where) => {
	const ends: [string, (rights: RightsWorld) => Promise<unknown>][] = [
		["their sessions were ended", ({ operate, inA }) => operate("end-sessions", inA.member)],
		[
			"they signed out everywhere else",
			async ({ world, a, inA, signIn }) =>
				world.ok("/revoke-other-sessions", { browser: await signIn(a, inA.member), body: {} }),
		],
		[
			"they were banned for a while",
			async ({ operate, inA }) => {
				await operate("ban", inA.member);
				await operate("unban", inA.member);
			},
		],
	];

	// threat 162
	it.each(ends)("gets no session once %s", async (_name, end) => {
		const rights = await createRightsWorld(where);
		const { a, b, inA, inB } = rights;
		const [code, neighbor] = [await approve(rights, a, inA.member), await approve(rights, b, inB.member)];
		await end(rights);
		expect(await redeem(rights, a, code)).toBe(400);
		expect(await redeem(rights, b, neighbor)).toBe(200);
	});
});
