import { createAuthEndpoint, createAuthMiddleware } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { admin, bearer, jwt, multiSession } from "better-auth/plugins";
import type { Browser } from "test-kit/browser";
import { MANAGEMENT_KEY, ORIGIN, type World, type WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { withTenants } from "../../src/index.ts";
import { createImpersonable } from "./impersonating.ts";

const SESSION_COOKIE = "better-auth.session_token";
const REFUSED = [403, "IMPERSONATION_NOT_ALLOWED"];

/** An impersonated session by cookie, and the signed value of that cookie. */
const createImpersonated = async (options: WorldOptions = {}) => {
	const made = await createImpersonable(options);
	const browser = made.operator.copy();
	const { token } = (await made.impersonate({ browser })).json as { token: string };
	return { ...made, browser, token, signed: browser.cookies.get(SESSION_COOKIE) ?? "" };
};

const encoded = (text: string): string =>
	[...text].map((letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");

/** Values for a cookie that no plugin of the engine reads. */
const SHAPES: [string, (session: { token: string; signed: string }) => string][] = [
	["the signed cookie", ({ signed }) => signed],
	["the signed cookie, decoded", ({ signed }) => decodeURIComponent(signed)],
	["the token alone", ({ token }) => token],
	["quoted", ({ token }) => `"${token}"`],
	["percent-encoded", ({ token }) => encoded(token)],
	["percent-encoded twice", ({ token }) => encoded(encoded(token))],
	["beside a broken percent sequence", ({ token }) => `%zz${encoded(token)}%`],
	["in JSON", ({ token }) => JSON.stringify({ session: token })],
	["in encoded JSON", ({ token }) => encodeURIComponent(JSON.stringify([{ t: token }]))],
	["as a URL", ({ token }) => `https://app.example.com/?token=${token}&x=1`],
	["after 5 made-up tokens", ({ token }) => [...madeUp(token, 5), token].join(",")],
	["after 40 made-up tokens", ({ token }) => [...madeUp(token, 40), token].join(",")],
];

const madeUp = (token: string, count: number): string[] =>
	Array.from(
		{ length: count },
		(_, index) => `impersonated-${String(index).padStart(32, "x")}${token.slice(token.indexOf("~"))}`,
	);

const renameWith = (world: World, cookie: string) =>
	world.call("/update-user", { headers: { cookie }, body: { name: "Mallory" } });

const namesIn = async (world: World): Promise<unknown[]> =>
	(await world.database.query('select distinct "name" from "user"')).map(({ name }) => name);

describe.each([false, true])("the token of an impersonated session in any cookie (Redis: %s)", (redis) => {
	// threat 74
	it("restricts the request, whatever the cookie's name and encoding", async () => {
		const { world, a, ada, neighbor, token, signed } = await createImpersonated({ redis });
		for (const [shape, write] of SHAPES) {
			for (const own of [ada, neighbor]) {
				const cookie = `theme=dark; ${own.header()}; any-name=${write({ token, signed })}`;
				const answer = await renameWith(world, cookie);
				expect([shape, answer.status, answer.code]).toEqual([shape, ...REFUSED]);
			}
			const alone = await world.call("/list-sessions", {
				tenant: a,
				headers: { cookie: `any-name=${write({ token, signed })}` },
			});
			expect([shape, alone.status, alone.code]).toEqual([shape, ...REFUSED]);
		}
		expect(await namesIn(world)).toEqual(["Ada"]);
	});

	// threat 74
	it("does not restrict the request if the session has ended or the token is made up", async () => {
		const { world, ada, neighbor, browser, token } = await createImpersonated({ redis });
		await world.call("/sign-out", { browser, body: {} });
		const [invented] = madeUp(token, 1);
		for (const own of [ada, neighbor]) {
			for (const value of [
				token,
				encoded(token),
				`GCL.1789.${invented}`,
				"impersonated-",
				`impersonated-${"a".repeat(32)}~`,
			]) {
				const answer = await renameWith(world, `${own.header()}; _attribution=${value}`);
				expect([value, answer.status, answer.code]).toEqual([value, 200, undefined]);
			}
		}
	});
});

// threat 74
it("the admin plugin's cookie does not bring an impersonated session back", async () => {
	const { world, a, adaId, neighbor, operator, impersonate } = await createImpersonable({ plugins: [admin()] });
	const boss = await world.signUp(a, "boss@example.com");
	await world.database.query(`update "user" set "role" = 'admin' where "email" = 'boss@example.com'`);
	const bossId = (await world.call("/get-session", { browser: boss })).json.user.id;
	expect((await impersonate({ browser: operator }, { userId: bossId })).status).toBe(200);
	const impersonated = await world.call("/admin/impersonate-user", { browser: boss, body: { userId: adaId } });
	expect(impersonated.status).toBe(200);
	for (const caller of [boss, neighbor]) {
		const held = caller.copy();
		held.cookies.set("better-auth.admin_session", operator.cookies.get(SESSION_COOKIE) ?? "");
		const back = await world.call("/admin/stop-impersonating", { browser: held, body: {} });
		expect([back.status, back.code, back.headers.getSetCookie()]).toEqual([...REFUSED, []]);
	}
	expect((await world.call("/get-session", { browser: boss })).json.session.impersonatedBy).toBe(bossId);
});

/** An application's plugin that reads session tokens from places that this package does not check. */
const byBody = {
	id: "by-body",
	endpoints: {
		/** like the multi-session plugin's endpoint, without a cookie */
		switchTo: createAuthEndpoint(
			"/switch-to",
			{ method: "POST", body: z.object({ hidden: z.string() }) },
			async (ctx) => {
				const session = await ctx.context.internalAdapter.findSession(unhide(ctx.body.hidden));
				if (!session) throw ctx.error("UNAUTHORIZED");
				await setSessionCookie(ctx, session);
				return ctx.json({ switched: true });
			},
		),
	},
	hooks: {
		before: [
			{
				matcher: () => true,
				handler: createAuthMiddleware(async (ctx) => {
					const hidden = ctx.body?.hidden ?? ctx.query?.hidden;
					if (typeof hidden !== "string" || ctx.path === "/switch-to") return;
					const headers = new Headers(ctx.headers);
					headers.set("cookie", `${SESSION_COOKIE}=${unhide(hidden)}`);
					return { context: { headers } };
				}),
			},
		],
	},
};

const hide = (text: string): string => Buffer.from(text).toString("base64");
const unhide = (text: string): string => Buffer.from(text, "base64").toString();

describe("an impersonated session whose token is hidden in the request", () => {
	const create = async (session: object = {}) => {
		const operators: string[] = [];
		const allPlugins = withTenants(
			{
				management: { keys: [MANAGEMENT_KEY], userIds: operators, impersonation: {}, audit: () => undefined },
				deletion: { drainTime: 0 },
			},
			[byBody, bearer(), multiSession(), jwt()],
		);
		const made = await createImpersonable({ allPlugins, engine: { session } });
		operators.push(made.operatorId);
		const browser = made.operator.copy();
		expect((await made.impersonate({ browser })).status).toBe(200);
		const cached = (await made.world.call("/get-session", { browser })) && browser.copy();
		const signed = browser.cookies.get(SESSION_COOKIE) ?? "";
		return { ...made, browser, cached, signed, token: decodeURIComponent(signed).split(".")[0] ?? "" };
	};
	const stored = async (world: World, token: string) =>
		(await world.database.query(`select "expiresAt" from "session" where "token" = '${token}'`))[0]?.expiresAt;

	// threat 74
	it("is never accepted: no cookie is set, and no lookup returns it", async () => {
		const { world, a, ada, neighbor, token, signed } = await create({ updateAge: 0 });
		const ends = await stored(world, token);
		const hidden = hide(decodeURIComponent(signed));
		for (const own of [ada, neighbor, undefined] as (Browser | undefined)[]) {
			const caller = { browser: own?.copy(), tenant: own ? undefined : a };
			const switched = await world.call("/switch-to", { ...caller, body: { hidden: hide(token) } });
			expect(switched.headers.getSetCookie()).toEqual([]);
			if (own !== neighbor) expect([switched.status, switched.code]).toEqual(REFUSED);
			for (const name of ["set-auth-jwt", "set-auth-token"]) expect(switched.headers.get(name)).toBeNull();

			const renamed = await world.call("/update-user", { ...caller, body: { name: "Mallory", hidden } });
			expect([401, 403]).toContain(renamed.status);
			expect((await world.call("/token", { ...caller, query: { hidden } })).json?.token).toBeUndefined();
			const seen = await world.call("/get-session", { ...caller, query: { hidden } });
			expect([seen.json?.session, seen.headers.get("set-auth-jwt")]).toEqual([undefined, null]);
		}
		expect(await namesIn(world)).toEqual(["Ada"]);
		// the attempts do not extend it
		expect(await stored(world, token)).toEqual(ends);
	});

	// threat 74
	it("is never accepted through a cookie cache that outlives it", async () => {
		const { world, a, browser, cached, signed } = await create({ cookieCache: { enabled: true, maxAge: 300 } });
		await world.call("/sign-out", { browser, body: {} });
		const data = cached.cookies.get("better-auth.session_data") ?? "";
		expect(data).not.toBe("");
		const hidden = hide(`${decodeURIComponent(signed)}; better-auth.session_data=${data}`);
		const seen = await world.call("/get-session", { tenant: a, query: { hidden } });
		expect([seen.json?.session, seen.headers.get("set-auth-jwt")]).toEqual([undefined, null]);
		const renamed = await world.call("/update-user", { tenant: a, body: { name: "Mallory", hidden } });
		expect([401, 403]).toContain(renamed.status);
		expect(await namesIn(world)).toEqual(["Ada"]);
	});

	it("is listed for its user, and only they can revoke it", async () => {
		const { world, ada, neighbor, browser, token } = await create();
		const listed = (await world.call("/list-sessions", { browser: ada })).json as { token: string }[];
		expect(listed.map((session) => session.token)).toContain(token);
		await world.call("/revoke-session", { browser: neighbor, body: { token } });
		expect((await world.call("/get-session", { browser })).json.session.token).toBe(token);
		expect((await world.call("/revoke-session", { browser: ada, body: { token } })).status).toBe(200);
		expect((await world.call("/get-session", { browser })).json).toBeNull();
	});
});

// threat 74
it("restricts server calls that forward an impersonated session in any cookie", async () => {
	const { world, ada, neighbor, token } = await createImpersonated();
	for (const own of [ada, neighbor]) {
		const cookie = `${own.header()}; any-name=${token}`;
		const body = { name: "Mallory" };
		const refused = { body: { code: "IMPERSONATION_NOT_ALLOWED" } };
		const { api } = world.auth;
		await expect(api.updateUser({ headers: new Headers({ cookie }), body })).rejects.toMatchObject(refused);
		const request = new Request(`${ORIGIN}/api/auth/update-user`, { headers: { cookie } });
		await expect(api.updateUser({ headers: new Headers(), request, body })).rejects.toMatchObject(refused);
	}
	expect(await namesIn(world)).toEqual(["Ada"]);
});
