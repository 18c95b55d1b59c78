import { createAuthEndpoint, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { describe, expect, it } from "vitest";
import type { Person } from "../admin/support/administered.ts";
import { createGate, type Gate } from "../admin/support/gate.ts";
import { createRightsWorld, type RightsWorld, STORES, type Where } from "./support/rights-world.ts";

const REFUSED = [401, "SESSION_EXPIRED"];

type Gates = { reached: Gate; released: Gate };

/** Requests that stop where a plugin of the application waits. */
const createStops = () => {
	const waiting: Gates[] = [];
	return {
		stop: async (): Promise<void> => {
			const gates = waiting.shift();
			gates?.reached.open();
			await gates?.released.opened;
		},
		/** Sends a request, and lets it go on when something else has happened. */
		stopWhile: async <Sent>(send: () => Promise<Sent>, meanwhile: () => Promise<unknown>): Promise<Sent> => {
			const gates = { reached: createGate(), released: createGate() };
			waiting.push(gates);
			const sending = send();
			await Promise.race([gates.reached.opened, sending]);
			expect(waiting).toEqual([]);
			await meanwhile().finally(gates.released.open);
			return sending;
		},
	};
};

/** A lower role for a moment: the role is the same again, but no API key from before counts. */
const demoteForAMoment = async ({ operate, inA }: RightsWorld) => {
	expect((await operate("set-role", inA.admin, { role: "member" })).status).toBe(200);
	expect((await operate("set-role", inA.admin, { role: "admin" })).status).toBe(200);
};

describe.each(STORES)("a request with an API key that is under way on %s", (_, where) => {
	// threat 161
	it("changes nothing once its user had a lower role for a moment", async () => {
		const rights = await createRightsWorld(where);
		const { world, a, b, inA, inB, holdWhile, keyOf, stored } = rights;
		const renameMeanwhile = async (tenant: string, admin: Person) => {
			const key = await keyOf(admin.browser);
			const { status, code } = await holdWhile(
				(headers) =>
					world.call("/update-user", { tenant, headers: { ...headers, "x-api-key": key }, body: { name: "Late" } }),
				() => demoteForAMoment(rights),
			);
			return [status, code, (await stored("user", admin, "id"))[0]?.name === "Late"];
		};
		expect(await renameMeanwhile(a, inA.admin)).toEqual([...REFUSED, false]);
		expect(await renameMeanwhile(b, inB.admin)).toEqual([200, undefined, true]);
	});
});

const MAKERS: [string, Where, (rights: RightsWorld) => Promise<unknown>][] = [
	["the database", {}, demoteForAMoment],
	["Redis", { redis: true, storedKeys: true }, demoteForAMoment],
	[
		"Redis",
		{ redis: true, storedKeys: true },
		({ operate, inA }) => operate("set-role", inA.admin, { role: "member" }),
	],
];

describe.each(MAKERS)("an API key in %s", (_, where, demote) => {
	// threat 161: a key that is made with one from before would count from then on
	it("makes no other one once its user had a lower role", async () => {
		const { stop, stopWhile } = createStops();
		const rights = await createRightsWorld({
			...where,
			plugins: [
				{
					id: "stop",
					hooks: {
						before: [{ matcher: ({ path }) => path === "/api-key/create", handler: createAuthMiddleware(stop) }],
					},
				},
			],
		});
		const { world, a, b, inA, inB, keyOf } = rights;
		const makeMeanwhile = async (tenant: string, { browser }: Person) => {
			const headers = { "x-api-key": await keyOf(browser) };
			const { status, code, json } = await stopWhile(
				() => world.call("/api-key/create", { tenant, headers, body: { name: "next" } }),
				() => demote(rights),
			);
			const next = { "x-api-key": String(json?.key) };
			return [status, code, (await world.call("/get-session", { tenant, headers: next })).status === 200];
		};
		expect(await makeMeanwhile(a, inA.admin)).toEqual([...REFUSED, false]);
		expect(await makeMeanwhile(b, inB.admin)).toEqual([200, undefined, true]);
	});
});

describe.each(STORES)("an admin's request that is under way on %s", (_, where) => {
	// threat 161
	it.each(["all sessions", "one session"])("ends not %s of another user once its own ended", async (which) => {
		const { world, a, b, inA, inB, holdWhile, operate, roleIn, signIn } = await createRightsWorld(where);
		const endMeanwhile = async (tenant: string, { admin, member }: typeof inA) => {
			const { session } = (await world.ok("/get-session", { browser: member.browser.copy() })).json;
			const more = which === "one session" ? { sessionId: session.id } : {};
			const body = { tenantId: tenant, userId: member.id, ...more };
			const by = await signIn(tenant, admin);
			const { status, code } = await holdWhile(
				(headers) => world.call("/tenant/user/end-sessions", { browser: by, headers, body }),
				() => operate("end-sessions", inA.admin),
			);
			return [status, code, await roleIn(member.browser)];
		};
		expect(await endMeanwhile(a, inA)).toEqual([...REFUSED, "member"]);
		expect(await endMeanwhile(b, inB)).toEqual([200, undefined, null]);
	});
});

describe.each(STORES.slice(0, 3))("a request that is under way on %s", (_, where) => {
	// threat 161
	it("erases no other user once the sessions of the owner who sent it ended", async () => {
		const { world, a, b, inA, inB, holdWhile, operate, rolesIn } = await createRightsWorld(where);
		const eraseMeanwhile = async (tenant: string, { owner, member }: typeof inA) => {
			const body = { tenantId: tenant, userId: member.id };
			const { status, code } = await holdWhile(
				(headers) => world.call("/tenant/user/erase", { browser: owner.browser.copy(), headers, body }),
				() => operate("end-sessions", inA.owner),
			);
			return [status, code, (await rolesIn(tenant))[member.email]];
		};
		expect(await eraseMeanwhile(a, inA)).toEqual([...REFUSED, "member"]);
		expect(await eraseMeanwhile(b, inB)).toEqual([200, undefined, undefined]);
	});

	// threat 161: a device that was approved before the ban and not in its transaction would keep its code
	it.each(["ban", "end-sessions", "remove", "reset-second-factor"])(
		"leaves no code of a device after %s",
		async (path) => {
			const { world, a, b, inA, inB, operate } = await createRightsWorld(where);
			const approve = async (tenant: string, { browser }: Person) => {
				const { json } = await world.ok("/device/code", { tenant, body: { client_id: "tv" } });
				await world.ok(`/device?user_code=${json.user_code}`, { browser: browser.copy() });
				await world.ok("/device/approve", { browser: browser.copy(), body: { userCode: json.user_code } });
			};
			await approve(a, inA.member);
			await approve(b, inB.member);
			await operate(path, inA.member);
			expect(await world.tenantsOf("deviceCode")).toEqual([b]);
		},
	);

	// threat 161
	it("deletes no API key of its user once their sessions ended", async () => {
		const { stop, stopWhile } = createStops();
		const endpoint = createAuthEndpoint("/drop", { method: "POST", requireHeaders: true }, async (ctx) => {
			const session = await getSessionFromCtx(ctx);
			const key = await ctx.context.adapter.findOne<{ id: string }>({
				model: "apikey",
				where: [{ field: "referenceId", value: String(session?.user.id) }],
			});
			await stop();
			await ctx.context.adapter.delete({ model: "apikey", where: [{ field: "id", value: String(key?.id) }] });
			return ctx.json({ done: true });
		});
		const { world, inA, inB, keyOf, operate, stored } = await createRightsWorld({
			...where,
			plugins: [{ id: "drop", endpoints: { drop: endpoint } }],
		});
		const dropMeanwhile = async (person: Person) => {
			await keyOf(person.browser);
			const { status, code } = await stopWhile(
				() => world.call("/drop", { browser: person.browser.copy(), body: {} }),
				() => operate("end-sessions", inA.member),
			);
			return [status, code, (await stored("apikey", person, "referenceId")).length];
		};
		expect(await dropMeanwhile(inA.member)).toEqual([...REFUSED, 1]);
		expect(await dropMeanwhile(inB.member)).toEqual([200, undefined, 0]);
	});
});
