import { type BetterAuthPlugin, generateId } from "better-auth";
import { APIError, createAuthEndpoint, sessionMiddleware } from "better-auth/api";
import { createWorld, type World } from "test-kit/world";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { withTenants } from "../../src/plugin/with-tenants.ts";
import { assertTenantIsolation, findTenantLeaks, type TenantIsolationOptions } from "../../src/testing.ts";

// some wait for calls to be sent again
vi.setConfig({ testTimeout: 120_000 });

const quiet = { logger: { disabled: true } };
const busy = (): APIError => new APIError("SERVICE_UNAVAILABLE");
const tooMany = (): APIError => new APIError("TOO_MANY_REQUESTS");

type Asked = { isOwn: boolean; userId: string };

/** Tells the name of any user, in any tenant. `before` may refuse or delay a request first. */
const createTelling = async (before: (asked: Asked) => Promise<void> | void) => {
	const held: { world?: World } = {};
	const plugin: BetterAuthPlugin = {
		id: "profiles",
		endpoints: {
			profile: createAuthEndpoint(
				"/profile",
				{ method: "POST", body: z.object({ userId: z.string() }), use: [sessionMiddleware] },
				async (ctx) => {
					const { userId } = ctx.body;
					const own = await ctx.context.adapter.findOne({ model: "user", where: [{ field: "id", value: userId }] });
					await before({ isOwn: own !== null, userId });
					const rows = (await held.world?.database.query(`select "id", "name" from "user"`)) ?? [];
					return ctx.json({ name: rows.find(({ id }) => id === userId)?.name ?? null });
				},
			),
		},
	};
	const world = await createWorld({ engine: quiet, allPlugins: withTenants({}, [plugin]) });
	held.world = world;
	const options: TenantIsolationOptions = { only: ["/profile"], log: false };
	return { auth: world.auth, options };
};

const REVEALED = { endpoint: "POST /profile", what: "reveals B's user.name" };

describe("on a busy machine, the isolation test", () => {
	// threat 65
	it.each([
		["503", busy],
		["429", tooMany],
	])("finds a leak behind a %s that goes away", async (_, refuse) => {
		let calls = 0;
		const { auth, options } = await createTelling(() => {
			calls += 1;
			if (calls % 2 === 1) throw refuse();
		});
		const { leaks, notJudged } = await findTenantLeaks(auth, options);
		expect(leaks).toContainEqual(expect.objectContaining(REVEALED));
		expect(notJudged).toEqual([]);
	});

	// threat 65
	it.each([
		["503", busy, "returned 503"],
		["429", tooMany, "returned 429"],
	])("does not pass if the endpoint returns %s from the first attack on", async (_, refuse, why) => {
		let isBroken = false;
		const { auth, options } = await createTelling(({ isOwn }) => {
			isBroken ||= !isOwn;
			if (isBroken) throw refuse();
		});
		const { leaks, notJudged, reached } = await findTenantLeaks(auth, options);
		expect([leaks, reached]).toEqual([[], ["POST /profile"]]);
		expect(notJudged).toContainEqual(expect.objectContaining({ endpoint: "POST /profile", why }));
		isBroken = false;
		await expect(assertTenantIsolation(auth, options)).rejects.toThrow("could not be judged");
	});

	it("passes if the endpoint returns 503 to attacks on purpose, and serves its own tenant meanwhile", async () => {
		const { auth, options } = await createTelling(({ isOwn }) => {
			if (!isOwn) throw busy();
		});
		const { leaks, notJudged, reached } = await assertTenantIsolation(auth, options);
		expect([leaks, notJudged, reached]).toEqual([[], [], ["POST /profile"]]);
	});

	// threat 65
	it("does not pass if the attacker is signed out before the attacks are over", async () => {
		let isBroken = false;
		const { auth, options } = await createTelling(({ isOwn }) => {
			isBroken ||= !isOwn;
			if (isBroken) throw new APIError("UNAUTHORIZED");
		});
		const { notJudged } = await findTenantLeaks(auth, options);
		expect(notJudged).toEqual([
			{ endpoint: "POST /profile", how: "session of A, its own input, after the attacks", why: "returned 401" },
		]);
	});

	// threat 65
	// threat 65
	it("waits until a call is over that got no response in time, and sends it again", async () => {
		let running = 0;
		let most = 0;
		let isFirst = true;
		const { auth, options } = await createTelling(async ({ isOwn }) => {
			running += 1;
			most = Math.max(most, running);
			const isSlow = isFirst && !isOwn;
			if (isSlow) {
				isFirst = false;
				await new Promise((resolve) => setTimeout(resolve, 3_000));
			}
			running -= 1;
		});
		const { leaks, notJudged } = await findTenantLeaks(auth, { ...options, timeout: 2 });
		expect([isFirst, most, notJudged]).toEqual([false, 1, []]);
		expect(leaks).toContainEqual(expect.objectContaining(REVEALED));
	});

	// threat 65
	it("does not pass if attacks never get a response", async () => {
		const { auth, options } = await createTelling(async ({ isOwn }) => {
			if (!isOwn) await new Promise(() => {});
		});
		const lines: string[] = [];
		const log = (line: string) => void lines.push(line);
		const { notJudged } = await findTenantLeaks(auth, { ...options, timeout: 1, log });
		expect(notJudged).toContainEqual(expect.objectContaining({ why: "no response in time" }));
		expect(lines.join("\n")).toContain("could not be judged");
	});
});

/**
 * Letters that are opened with a token, which is sent to the author. Opens letters of all tenants. `beside` runs while a letter is added, and
 * `sending` decides when its token is sent.
 */
const createLetters = async ({ beside, sendLater = false }: { beside?: boolean; sendLater?: boolean }) => {
	const held: { world?: World; sent?: () => void } = {};
	const query = async (sql: string) => (await held.world?.database.query(sql)) ?? [];
	let task: (() => Promise<unknown>) | undefined;
	const options = { sendLetter: (_: { token: string }) => undefined };
	const body = z.object({ text: z.string() });
	const plugin = {
		id: "letters",
		options,
		schema: {
			letter: { fields: { hidden: { type: "string", required: true }, text: { type: "string", required: true } } },
		},
		endpoints: {
			// a task that outlives its call, and changes a row of the user
			touch: createAuthEndpoint("/letters/a-touch", { method: "POST", use: [sessionMiddleware] }, async (ctx) => {
				const { id } = ctx.context.session.user;
				if (beside) task = () => query(`update "user" set "image" = '/${generateId()}' where "id" = '${id}'`);
				return ctx.json({ success: true });
			}),
			add: createAuthEndpoint("/letters/b-add", { method: "POST", body, use: [sessionMiddleware] }, async (ctx) => {
				await task?.();
				task = undefined;
				const token = `token${generateId()}`;
				const data = { text: ctx.body.text, hidden: [...token].reverse().join("") };
				await ctx.context.adapter.create({ model: "letter", data });
				if (sendLater)
					void new Promise<void>((resolve) => (held.sent = resolve)).then(() => options.sendLetter({ token }));
				else options.sendLetter({ token });
				return ctx.json({ success: true });
			}),
			// the token of the letter is sent while this one runs, whose own change does not stay
			rename: createAuthEndpoint("/letters/c-rename", { method: "POST", use: [sessionMiddleware] }, async (ctx) => {
				held.sent?.();
				await new Promise((resolve) => setTimeout(resolve, 0));
				await query(`update "user" set "image" = '/${generateId()}' where "id" = '${ctx.context.session.user.id}'`);
				return ctx.json({ success: true });
			}),
			open: createAuthEndpoint(
				"/letters/open",
				{ method: "POST", body: z.object({ token: z.string() }) },
				async (ctx) => {
					const hidden = [...ctx.body.token].reverse().join("").replaceAll("'", "");
					const [letter] = await query(`select "text" from "letter" where "hidden" = '${hidden}'`);
					if (!letter) throw ctx.error("NOT_FOUND");
					return ctx.json(letter);
				},
			),
		},
	} satisfies BetterAuthPlugin;
	held.world = await createWorld({ engine: quiet, allPlugins: withTenants({}, [plugin]) });
	const only = Object.values(plugin.endpoints).map(({ path }) => path);
	return { auth: held.world.auth, only };
};

describe("while tasks of earlier calls run, the isolation test", () => {
	// threat 65
	it.each([
		["of calls that they leave alone", {}],
		["of a call beside which they change a row", { beside: true }],
		["of a call that sends its token when the next one runs", { sendLater: true }],
	])("tries the tokens %s", async (_, how) => {
		const { auth, only } = await createLetters(how);
		const { leaks, reached } = await findTenantLeaks(auth, { only, log: false });
		expect(reached).toContain("POST /letters/open");
		expect(leaks).toContainEqual(
			expect.objectContaining({ endpoint: "POST /letters/open", what: "reveals B's letter.text" }),
		);
	});
});
