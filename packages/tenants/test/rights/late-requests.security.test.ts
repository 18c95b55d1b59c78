import type { AuthContext, BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint, getSessionFromCtx } from "better-auth/api";
import type { Browser } from "test-kit/browser";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createGate, type Gate } from "../admin/support/gate.ts";
import { createRightsWorld, type RightsWorld, type Where } from "./support/rights-world.ts";

const REFUSED = [401, "SESSION_EXPIRED"];

type Act = (context: AuthContext, userId: string) => Promise<unknown>;

/** What a plugin may write for a user. */
const ACTS: Record<string, Act> = {
	"a changed name": ({ internalAdapter }, userId) => internalAdapter.updateUser(userId, { name: "Late" }),
	"an account": ({ internalAdapter }, userId) =>
		internalAdapter.createAccount({ userId, providerId: "late", accountId: "late" }),
	"a session": ({ internalAdapter }, userId) => internalAdapter.createSession(userId),
	"a code": ({ internalAdapter }) =>
		internalAdapter.createVerificationValue({
			identifier: "late",
			value: "late",
			expiresAt: new Date(Date.now() + 60_000),
		}),
};

/** A request of a plugin that has begun, waits, and then writes for a user. */
const createLate = () => {
	const waiting: { reached: Gate; released: Gate }[] = [];
	const body = z.object({ act: z.string(), userId: z.string() });
	const late = createAuthEndpoint("/late", { method: "POST", body, requireHeaders: true }, async (ctx) => {
		if (ctx.headers.get("cookie")) await getSessionFromCtx(ctx);
		// as a link or a code is read first
		await ctx.context.internalAdapter.findVerificationValue("nothing");
		const gates = waiting.shift();
		gates?.reached.open();
		await gates?.released.opened;
		await ACTS[ctx.body.act]?.(ctx.context, ctx.body.userId);
		return ctx.json({ done: true });
	});
	const plugin: BetterAuthPlugin = { id: "late", endpoints: { late } };
	return { plugin, waiting };
};

const createLateWorld = async (where: Where) => {
	const { plugin, waiting } = createLate();
	const rights = await createRightsWorld({ ...where, plugins: [plugin] });
	const { world, a, b, inA, inB } = rights;
	const send = async (by: { tenant: string } | { browser: Browser }, act: string, userId: string, meanwhile: End) => {
		const gates = { reached: createGate(), released: createGate() };
		waiting.push(gates);
		const sending = world.call("/late", { ...by, body: { act, userId } });
		await Promise.race([gates.reached.opened, sending]);
		await meanwhile(rights).finally(gates.released.open);
		const { status, code } = await sending;
		return [status, code];
	};
	const stored = async (tenant: string): Promise<string[]> => {
		const query = (table: string) => world.database.query(`select * from "${table}"`);
		const own = (rows: Record<string, unknown>[]) => rows.filter(({ tenantId }) => tenantId === tenant);
		return [
			...own(await query("user")).filter(({ name }) => name === "Late"),
			...own(await query("account")).filter(({ providerId }) => providerId === "late"),
		].map(({ id }) => String(id));
	};
	return { ...rights, a, b, inA, inB, send, stored };
};

type End = (rights: RightsWorld) => Promise<unknown>;

const endSessions: End = ({ operate, inA }) => operate("end-sessions", inA.member);

describe("a request that first sees its user after their rights ended", () => {
	// threat 161
	it.each(["a changed name", "an account", "a session"])(
		"does not write %s, but does in the other tenant",
		async (act) => {
			const { a, b, inA, inB, send, stored, signIn, alive } = await createLateWorld({});
			expect(await send({ tenant: a }, act, inA.member.id, endSessions)).toEqual(REFUSED);
			expect(await stored(a)).toEqual([]);
			expect(await send({ tenant: b }, act, inB.member.id, endSessions)).toEqual([200, undefined]);
			expect(await stored(b)).toHaveLength(act === "a session" ? 0 : 1);
			expect(await alive([await signIn(a, inA.member)])).toBe(1);
		},
	);
});

describe("a request that stores a code in Redis", () => {
	// threat 161
	it("leaves none once the rights of its user ended", async () => {
		const { inA, inB, send, world } = await createLateWorld({ redis: true });
		const codes = async () => (await world.redisKeys()).filter((key) => key.includes("late"));
		const { browser } = inA.member;
		expect(await send({ browser: browser.copy() }, "a code", inA.member.id, endSessions)).toEqual(REFUSED);
		expect(await codes()).toEqual([]);
		expect(await send({ browser: inB.member.browser.copy() }, "a code", inB.member.id, endSessions)).toEqual([
			200,
			undefined,
		]);
		expect(await codes()).toHaveLength(1);
	});
});
