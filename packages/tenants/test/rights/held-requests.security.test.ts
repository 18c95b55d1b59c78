import { Browser } from "test-kit/browser";
import { type Answer, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import type { Person } from "../admin/support/administered.ts";
import { createRightsWorld, type RightsWorld, STORES } from "./support/rights-world.ts";

const REFUSED = [401, "SESSION_EXPIRED"];

/** `round` makes names and numbers that nobody else has. */
type Given = { rights: RightsWorld; tenant: string; person: Person; round: number };
type Headers = Record<string, string>;

/** A request that adds a way in, and whether the user has it afterwards. */
type Way = {
	prepare?: (given: Given) => Promise<unknown>;
	send: (given: Given, headers: Headers) => Promise<Answer>;
	isIn: (given: Given) => Promise<boolean>;
};

const phoneIn = (round: number): string => `+49151123400${10 + round}`;

const userOf = async ({ rights, person }: Given) => (await rights.stored("user", person, "id"))[0] ?? {};

const ways: Record<string, Way> = {
	"a phone number": {
		prepare: ({ rights, tenant, round }) =>
			rights.world.ok("/phone-number/send-otp", { tenant, body: { phoneNumber: phoneIn(round) } }),
		send: ({ rights: { world, last }, person: { browser }, round }, headers) => {
			const body = { phoneNumber: phoneIn(round), code: last(), updatePhoneNumber: true };
			return world.call("/phone-number/verify", { browser: browser.copy(), headers, body });
		},
		isIn: async (given) => (await userOf(given)).phoneNumber != null,
	},
	"an API key": {
		send: ({ rights: { world }, person: { browser } }, headers) =>
			world.call("/api-key/create", { browser: browser.copy(), headers, body: { name: "ci" } }),
		isIn: async ({ rights, person }) => (await rights.stored("apikey", person, "referenceId")).length > 0,
	},
	"a user name": {
		send: ({ rights: { world }, person: { browser }, round }, headers) =>
			world.call("/update-user", { browser: browser.copy(), headers, body: { username: `planted${round}` } }),
		isIn: async (given) => (await userOf(given)).username != null,
	},
	"an authenticator app": {
		send: ({ rights: { world }, person: { browser } }, headers) =>
			world.call("/two-factor/enable", { browser: browser.copy(), headers, body: { password: PASSWORD } }),
		isIn: async ({ rights, person }) => (await rights.stored("twoFactor", person)).length > 0,
	},
	"an approved device": {
		prepare: async ({ rights: { world }, tenant, person: { browser } }) => {
			const { user_code: code } = (await world.ok("/device/code", { tenant, body: { client_id: "tv" } })).json;
			await world.ok(`/device?user_code=${code}`, { browser: browser.copy() });
		},
		send: async ({ rights: { world }, tenant, person: { browser } }, headers) => {
			const rows = await world.database.query(`select "userCode", "tenantId" from "deviceCode"`);
			const userCode = rows.find((row) => row.tenantId === tenant)?.userCode;
			return world.call("/device/approve", { browser: browser.copy(), headers, body: { userCode } });
		},
		isIn: async ({ rights, tenant }) =>
			(await rights.world.database.query(`select "status", "tenantId" from "deviceCode"`)).some(
				(row) => row.tenantId === tenant && row.status === "approved",
			),
	},
};

type End = (given: Given) => Promise<unknown>;

const ends: Record<string, End> = {
	"is banned": ({ rights, tenant, person }) => rights.operate("ban", person, {}, tenant),
	"is removed": ({ rights, tenant, person }) => rights.operate("remove", person, {}, tenant),
	"has their sessions ended": ({ rights, tenant, person }) => rights.operate("end-sessions", person, {}, tenant),
	"becomes an owner by an invitation": ({ rights, tenant, person }) => rights.acceptAsOwner(tenant, person),
};

const cases = Object.keys(ways).flatMap((way) => Object.keys(ends).map((end): [string, string] => [way, end]));

describe.each(STORES)("a request that is under way on %s", (_, where) => {
	// threat 161
	it("adds no way in once the user's rights ended, and only to the user whose rights ended", async () => {
		const rights = await createRightsWorld(where);
		const { world, a, b, join, holdWhile } = rights;
		for (const [round, [name, end]] of cases.entries()) {
			const [way, ending] = [ways[name] as Way, ends[end] as End];
			const inTenant = async (tenant: string): Promise<Given> => ({
				rights,
				tenant,
				person: await join(tenant, `held${round}`, "member"),
				round,
			});
			const [held, free] = [await inTenant(a), await inTenant(b)];
			await way.prepare?.(held);
			const refused = await holdWhile(
				(headers) => way.send(held, headers),
				() => ending(held),
			);
			// where an endpoint reads its session again, the code is its own
			expect([name, end, refused.status]).toEqual([name, end, 401]);
			expect([name, end, await way.isIn(held)]).toEqual([name, end, false]);
			// the same request in the other tenant, while the rights of someone else end
			await way.prepare?.(free);
			const other = { ...held, person: await join(a, `other${round}`, "member") };
			const served = await holdWhile(
				(headers) => way.send(free, headers),
				() => ending(other),
			);
			expect([name, end, served.status]).toEqual([name, end, 200]);
			expect([name, end, await way.isIn(free)]).toEqual([name, end, true]);
			await world.database.query(`delete from "deviceCode"`);
		}
	});
});

describe("a request that is under way", () => {
	// threat 161
	it("ends no session of a user who became an owner by an invitation meanwhile", async () => {
		const { world, a, inA, holdWhile, acceptAsOwner, roleIn } = await createRightsWorld();
		let owner = new Browser();
		const refused = await holdWhile(
			(headers) => world.call("/revoke-sessions", { browser: inA.member.browser.copy(), headers, body: {} }),
			async () => {
				owner = await acceptAsOwner(a, inA.member);
			},
		);
		// Better Auth catches the refusal
		expect(refused.status).toBe(500);
		expect(await roleIn(owner)).toBe("owner");
	});

	// threat 161
	it("with an API key changes nothing once its user has a lower role", async () => {
		const { world, a, b, inA, inB, holdWhile, operate, keyOf, stored } = await createRightsWorld();
		const renameMeanwhile = async (tenant: string, admin: Person) => {
			const key = await keyOf(admin.browser);
			const { status, code } = await holdWhile(
				(headers) =>
					world.call("/update-user", { tenant, headers: { ...headers, "x-api-key": key }, body: { name: "Late" } }),
				() => operate("set-role", inA.admin, { role: "member" }),
			);
			return [status, code, (await stored("user", admin, "id"))[0]?.name === "Late"];
		};
		expect(await renameMeanwhile(a, inA.admin)).toEqual([...REFUSED, false]);
		expect(await renameMeanwhile(b, inB.admin)).toEqual([200, undefined, true]);
	});

	// threat 161
	it("changes no other user once the sessions of the admin who sent it ended", async () => {
		const { world, a, b, inA, inB, holdWhile, operate, rolesIn, signIn } = await createRightsWorld();
		const promote = (headers: Headers) => {
			const body = { tenantId: a, userId: inA.member.id, role: "admin" };
			return world.call("/tenant/user/set-role", { browser: inA.admin.browser.copy(), headers, body });
		};
		const refused = await holdWhile(promote, () => operate("end-sessions", inA.admin));
		expect([refused.status, refused.code]).toEqual(REFUSED);
		expect((await rolesIn(a))[inA.member.email]).toBe("member");
		// the admin of the same address in the other tenant changes nothing about it
		inA.admin.browser = await signIn(a, inA.admin);
		const served = await holdWhile(promote, () => operate("end-sessions", inB.admin, {}, b));
		expect([served.status, (await rolesIn(a))[inA.member.email]]).toEqual([200, "admin"]);
	});

	// threat 161
	it("removes no other user once the sessions of the admin who sent it ended", async () => {
		const { world, a, b, inA, inB, holdWhile, operate, rolesIn, signIn } = await createRightsWorld();
		const remove = (headers: Headers) => {
			const body = { tenantId: a, userId: inA.member.id };
			return world.call("/tenant/user/remove", { browser: inA.admin.browser.copy(), headers, body });
		};
		const refused = await holdWhile(remove, () => operate("end-sessions", inA.admin));
		expect([refused.status, refused.code]).toEqual(REFUSED);
		expect((await rolesIn(a))[inA.member.email]).toBe("member");
		inA.admin.browser = await signIn(a, inA.admin);
		const served = await holdWhile(remove, () => operate("end-sessions", inB.admin, {}, b));
		expect([served.status, (await rolesIn(a))[inA.member.email]]).toEqual([200, undefined]);
		expect((await rolesIn(b))[inB.member.email]).toBe("member");
	});

	const acts: Record<string, { path: string; body: (tenantId: string) => object; table: string }> = {
		"creates no user": {
			path: "/tenant/user/create",
			body: (tenantId) => ({ tenantId, email: "new@example.com", name: "New", role: "member" }),
			table: "user",
		},
		"invites nobody": {
			path: "/tenant/invitation/create",
			body: (tenantId) => ({ tenantId, email: "new@example.com", role: "member" }),
			table: "tenantInvitation",
		},
		"changes no policy": {
			path: "/tenant/policy/update",
			body: (tenantId) => ({ tenantId, policy: { minPasswordLength: 12 } }),
			table: "tenantPolicy",
		},
	};

	// threat 161
	it.each(Object.entries(acts))("%s once the sessions of its owner ended", async (_, { path, body, table }) => {
		const { world, a, b, inA, inB, holdWhile, operate } = await createRightsWorld();
		const rows = async (tenant: string) =>
			(await world.database.query(`select * from "${table}"`)).filter(({ tenantId }) => tenantId === tenant).length;
		const [before, neighbors] = [await rows(a), await rows(b)];
		const send =
			(tenant: string, { browser }: Person) =>
			(headers: Headers) =>
				world.call(path, { browser: browser.copy(), headers, body: body(tenant) });
		const refused = await holdWhile(send(a, inA.owner), () => operate("end-sessions", inA.owner));
		expect([refused.status, await rows(a)]).toEqual([401, before]);
		const served = await holdWhile(send(b, inB.owner), () => operate("end-sessions", inA.owner));
		expect([served.status, await rows(b)]).toEqual([200, neighbors + 1]);
	});

	// threat 161
	it("invites nobody once its admin has a lower role", async () => {
		const { world, a, inA, holdWhile, operate } = await createRightsWorld();
		const body = { tenantId: a, email: "new@example.com", role: "member" };
		const refused = await holdWhile(
			(headers) => world.call("/tenant/invitation/create", { browser: inA.admin.browser.copy(), headers, body }),
			() => operate("set-role", inA.admin, { role: "member" }),
		);
		expect(refused.status).toBe(403);
		expect(await world.database.query(`select * from "tenantInvitation"`)).toEqual([]);
	});
});
