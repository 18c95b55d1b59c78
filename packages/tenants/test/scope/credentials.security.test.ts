import type { GenericEndpointContext } from "@better-auth/core";
import { runWithRequestState } from "@better-auth/core/context";
import { afterEach, describe, expect, it, vi } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { guardProperty } from "../../src/lib/guarded-property.ts";
import { readAllSessions } from "../../src/scope/data/all-sessions.ts";
import { dropChosenId } from "../../src/scope/data/chosen-ids.ts";
import { createRawAdapter } from "../../src/scope/data/raw-adapter.ts";
import { createReservedIds, marksUsedName } from "../../src/scope/data/reserved-ids.ts";
import { PLATFORM } from "../../src/scope/pin/platform.ts";
import { withTag } from "../../src/scope/pin/tag.ts";
import {
	createTenantContext,
	explicitTenant,
	runInKnownTenant,
	uncheckedTenant,
} from "../../src/scope/pin/tenant-context.ts";
import { keepFlowTenant, openFlow, readFlowTenant, touchesFlow } from "../../src/scope/request/flow-cookie.ts";
import { tagMailLinks, tagRedirect } from "../../src/scope/request/mail-links.ts";
import { requireTenant } from "../../src/scope/request/require-tenant.ts";
import { createUncachedSessions } from "../../src/scope/request/uncached-sessions.ts";
import { createPlatformAccess } from "../../src/scope/sessions/platform-access.ts";
import { requireLiveStorage } from "../../src/scope/sessions/require-live-storage.ts";
import { isLiveSession, readSessionCredential } from "../../src/scope/sessions/session-credential.ts";
import { createKnownTenants } from "../../src/scope/tenants/known-tenants.ts";
import { derivedOrigins, withoutOrigins } from "../../src/scope/tenants/trusted-origins.ts";

afterEach(() => void vi.useRealTimers());

const contextOf = (ctx: object): GenericEndpointContext => ctx as unknown as GenericEndpointContext;

describe("the session token of a request", () => {
	const [acme, globex] = [withTag("a".repeat(32), "acme"), withTag("b".repeat(32), "globex")];

	const read = (
		headers: HeadersInit,
		cookie: string | null = null,
		more: { live?: string; plugin?: boolean; inRequest?: boolean } = {},
	) => {
		const { live = "", plugin = true, inRequest = false } = more;
		const ctx = {
			...(inRequest ? { request: new Request("http://localhost", { headers }) } : { headers: new Headers(headers) }),
			getCookie: () => cookie,
			context: { hasPlugin: () => plugin, authCookies: { sessionToken: { name: "session" } } },
		};
		return readSessionCredential(contextOf(ctx), async (_ctx, { tenantId }) => tenantId === live);
	};
	const bearer = (token: string, scheme = "Bearer ") => ({ authorization: scheme + token });

	it("is in the cookie or in the header, with or without a signature there", async () => {
		const expected = { token: acme, tenantId: "acme" };
		expect(await read({}, `${acme}.signature`)).toEqual(expected);
		for (const token of [acme, `${acme}.signature`, encodeURIComponent(`${acme}.signature`), ` ${acme} `])
			for (const scheme of ["Bearer ", "bearer ", "BEARER "]) {
				expect(await read(bearer(token, scheme))).toEqual(expected);
				expect(await read(bearer(token, scheme), null, { inRequest: true })).toEqual(expected);
			}
	});

	it("is missing without the plugin, in another scheme, or malformed", async () => {
		expect(await read(bearer(acme), null, { plugin: false })).toBeNull();
		for (const scheme of ["Basic ", "Bearer", "xBearer ", ""]) expect(await read(bearer(acme, scheme))).toBeNull();
		for (const token of ["", ".signature", `x~not a tag`]) expect(await read(bearer(token))).toBeNull();
		for (const cookie of ["", acme, ".signature", "x~!.signature"]) expect(await read({}, cookie)).toBeNull();
	});

	it("is the header's, unless that is no session and the cookie is another tenant's", async () => {
		const cookie = `${globex}.signature`;
		expect((await read(bearer(acme), cookie, { live: "acme" }))?.tenantId).toBe("acme");
		expect((await read(bearer(acme), cookie))?.tenantId).toBe("globex");
		const other = withTag("c".repeat(32), "globex");
		expect((await read(bearer(other), cookie))?.token).toBe(other);
		expect((await read(bearer("gateway"), cookie))?.tenantId).toBe("globex");
	});

	it("is live until it ends, in its own tenant", async () => {
		const asked: unknown[] = [];
		const live = (found: object | null) =>
			isLiveSession(
				contextOf({
					context: {
						internalAdapter: {
							findSession: async (token: string) => {
								asked.push([token, explicitTenant()]);
								return found;
							},
						},
					},
				}),
				{ token: acme, tenantId: "acme" },
			);
		vi.useFakeTimers();
		const at = (ms: number) => ({ session: { expiresAt: new Date(Date.now() + ms) } });
		expect([await live(null), await live(at(1)), await live(at(0))]).toEqual([false, true, false]);
		vi.useRealTimers();
		expect(new Set(asked.map(String))).toEqual(new Set([`${acme},acme`]));
	});
});

describe("the tenant of running code", () => {
	it("is that of runWithTenant, then that of the request, then the platform", async () => {
		const [pin, other] = [createTenantContext(), createTenantContext()];
		await pin.ready();
		const seen = () => [pin.current(), pin.ofRequest(), pin.isServerCode(), other.current()];
		expect(seen()).toEqual([PLATFORM, null, true, PLATFORM]);
		await runWithRequestState(new WeakMap(), async () => {
			expect(seen()).toEqual([PLATFORM, null, true, PLATFORM]);
			const request = new Request("http://localhost");
			await pin.set("acme", { request });
			expect(pin.request()).toBe(request);
			expect(seen()).toEqual(["acme", "acme", false, PLATFORM]);
			runWithTenant("globex", () => expect(seen()).toEqual(["globex", "acme", true, "globex"]));
		});
		for (const [called, isServerCode] of [
			[{}, true],
			[{ headers: new Headers() }, false],
		] as const)
			await runWithRequestState(new WeakMap(), async () => {
				await pin.set("acme", called);
				expect(pin.isServerCode()).toBe(isServerCode);
			});
	});

	it("is checked, unless the code that set it has", () => {
		expect([uncheckedTenant(), explicitTenant()]).toEqual([undefined, undefined]);
		runWithTenant("acme", () => expect([uncheckedTenant(), explicitTenant()]).toEqual(["acme", "acme"]));
		runInKnownTenant("acme", () => expect([uncheckedTenant(), explicitTenant()]).toEqual([undefined, "acme"]));
	});

	it("has proven a value for one tenant, table and column", async () => {
		const pin = createTenantContext();
		await pin.ready();
		expect(pin.isProven("acme", "user", "id", "1")).toBe(false);
		await runWithRequestState(new WeakMap(), async () => {
			await pin.set("acme", {});
			pin.prove("acme", "user", "id", "1");
			const others: [string, string, string, string][] = [
				["globex", "user", "id", "1"],
				["acme", "team", "id", "1"],
				["acme", "user", "email", "1"],
				["acme", "user", "id", "2"],
			];
			for (const other of others) expect(pin.isProven(...other)).toBe(false);
			expect(pin.isProven("acme", "user", "id", "1")).toBe(true);
			for (const other of others) pin.prove(...other);
			for (const other of others) expect(pin.isProven(...other)).toBe(true);
			expect(pin.isProven("acme", "user", "id", "1")).toBe(true);
		});
	});

	it("is required by some endpoints", () => {
		expect(requireTenant("acme")).toBe("acme");
		expect(() => requireTenant(PLATFORM)).toThrow(
			expect.objectContaining({ body: expect.objectContaining({ code: "TENANT_ID_REQUIRED" }) }),
		);
	});
});

describe("the adapter of this package's own tables", () => {
	it("uses the connection of the running transaction, and not after its end", async () => {
		const METHODS = [
			"create",
			"findOne",
			"findMany",
			"count",
			"update",
			"updateMany",
			"delete",
			"deleteMany",
			"consumeOne",
			"incrementOne",
		];
		const on = (connection: string) =>
			Object.fromEntries(METHODS.map((name) => [name, async () => [connection, name]]));
		const { adapter, inside, inTransaction } = createRawAdapter(on("pool") as never);
		const call = async (connection: string) => {
			for (const name of METHODS) expect(await adapter[name as "count"]({} as never)).toEqual([connection, name]);
		};
		await call("pool");
		expect(inTransaction()).toBe(false);
		let later: (() => Promise<void>) | undefined;
		let end = (): void => {};
		const ended = new Promise<void>((resolve) => {
			end = resolve;
		});
		await inside(on("transaction") as never, async () => {
			await call("transaction");
			expect(inTransaction()).toBe(true);
			const started = ended.then(async () => {
				expect(inTransaction()).toBe(false);
				await call("pool");
			});
			later = () => started;
		});
		end();
		await later?.();
		await expect(
			inside(on("transaction") as never, async () => Promise.reject(new Error("rolled back"))),
		).rejects.toThrow("rolled back");
		await call("pool");
	});
});

describe("a tenant that is looked up", () => {
	const look = async (
		stored: object | null,
		{ lifecycle = false, tenantId = "acme", marked = 1, inTransaction = false, second = stored } = {},
	) => {
		const asked: { method: string; query: object }[] = [];
		let times = 0;
		const adapter = {
			findOne: async (query: object) => {
				asked.push({ method: "findOne", query });
				times += 1;
				return times === 1 ? stored : second;
			},
			updateMany: async (query: object) => {
				asked.push({ method: "updateMany", query });
				return marked;
			},
		};
		const known = createKnownTenants(adapter as never, {
			maxAge: 60,
			maxSize: 10,
			lifecycle,
			inTransaction: () => inTransaction,
		});
		const isOpen = await known.isOpen(tenantId);
		const admits = await known.admits(tenantId).catch((error) => error.body.code);
		return { isOpen, admits, methods: asked.map(({ method }) => method), asked, known };
	};
	const row = (more: object = {}) => ({ id: "acme", status: "active", unserved: false, sessionsSince: null, ...more });

	it("is open if it is active, and is then cached", async () => {
		expect(await look(row())).toMatchObject({ isOpen: true, admits: true, methods: ["findOne"] });
		expect(await look(row(), { inTransaction: true })).toMatchObject({ isOpen: true, methods: ["findOne", "findOne"] });
		const { known, asked } = await look(row());
		known.forget("acme");
		await known.isOpen("acme");
		expect(asked).toHaveLength(2);
		expect(asked[0]?.query).toEqual({
			model: "tenant",
			where: [{ field: "id", value: "acme" }],
			select: ["id", "status", "unserved"],
		});
	});

	it("is the platform without a query", async () => {
		expect(await look(null, { tenantId: PLATFORM })).toMatchObject({ isOpen: true, admits: true, methods: [] });
	});

	it("is missing if another id was found, or none, or it is being deleted", async () => {
		for (const other of [null, row({ id: "Acme" }), row({ status: "deleting" }), row({ status: "suspended" })])
			expect(await look(other)).toMatchObject({ isOpen: false, admits: false, methods: ["findOne", "findOne"] });
		expect(await look(row({ id: 17 }), { tenantId: "17" })).toMatchObject({ isOpen: true });
	});

	it("is closed if an operator closed it, which only tenantLifecycle() knows", async () => {
		for (const status of ["suspended", "archived"])
			expect(await look(row({ status }), { lifecycle: true })).toMatchObject({
				isOpen: false,
				admits: `TENANT_${status.toUpperCase()}`,
			});
		expect(await look(row({ status: "deleting" }), { lifecycle: true })).toMatchObject({
			isOpen: false,
			admits: false,
		});
	});

	it("is marked when it is served first, before it counts as open", async () => {
		const unserved = row({ unserved: true });
		const first = await look(unserved);
		expect(first).toMatchObject({ isOpen: true, methods: ["findOne", "updateMany"] });
		expect(first.asked[1]?.query).toEqual({
			model: "tenant",
			where: [
				{ field: "id", value: "acme" },
				{ field: "status", value: "active" },
			],
			update: { unserved: false },
		});
		// a parallel request marked it, or it was closed meanwhile
		expect(await look(unserved, { marked: 0, second: row() })).toMatchObject({ isOpen: true });
		expect(await look(unserved, { marked: 0 })).toMatchObject({ isOpen: false });
		expect(await look(unserved, { marked: 0, second: row({ status: "deleting" }) })).toMatchObject({ isOpen: false });
	});

	it("says when its sessions ended, with tenantLifecycle() only", async () => {
		const since = new Date(17);
		expect((await look(row({ sessionsSince: since }))).known.sessionsSince).toBeNull();
		const { known, asked } = await look(row({ sessionsSince: since }), { lifecycle: true });
		expect(await known.sessionsSince?.("acme")).toBe(17);
		expect(await known.sessionsSince?.(PLATFORM)).toBeNull();
		expect(asked[0]?.query).toMatchObject({ select: ["id", "status", "unserved", "sessionsSince"] });
		expect(await (await look(row(), { lifecycle: true })).known.sessionsSince?.("acme")).toBeNull();
	});
});

describe("the links in emails", () => {
	const pin = { current: () => "acme" } as ReturnType<typeof createTenantContext>;
	type Sent = { url: string; token: string };

	it("name the tenant, in every kind of email", () => {
		const sent: unknown[] = [];
		const send = async (data: Sent, more: unknown) => void sent.push([data.token, data.url, more]);
		const magicLink = { id: "magic-link", options: { sendMagicLink: send } };
		const own = {
			emailVerification: { sendVerificationEmail: send, sendOnSignUp: true },
			emailAndPassword: { enabled: true, sendResetPassword: send },
			user: { changeEmail: { enabled: true, sendChangeEmailConfirmation: send } },
			plugins: [magicLink],
		};
		const options = { ...own } as never as Parameters<typeof tagMailLinks>[0];
		tagMailLinks(options, pin);
		// a second instance with the same plugin, as hot reload creates it
		tagMailLinks({ ...own } as never, pin);
		expect(own.emailVerification.sendVerificationEmail).toBe(send);
		const tagged = withTag("secret", "acme");
		const encoded = tagged.replace("~", "%7E");
		const senders: unknown[] = [
			magicLink.options.sendMagicLink,
			options.emailVerification?.sendVerificationEmail,
			options.emailAndPassword?.sendResetPassword,
			options.user?.changeEmail?.sendChangeEmailConfirmation,
		];
		for (const [url, expected] of [
			["http://site/verify?token=secret&lang=en", `http://site/verify?token=${encoded}&lang=en`],
			["http://site/reset/secret?a=secret", `http://site/reset/${tagged}?a=secret`],
		] as const)
			for (const call of senders as (typeof send)[]) {
				sent.length = 0;
				void call({ url, token: "secret" }, "more");
				expect(sent).toEqual([[tagged, expected, "more"]]);
			}
		expect(options.emailVerification).toMatchObject({ sendOnSignUp: true });
		expect(options.emailAndPassword).toMatchObject({ enabled: true });
		expect(options.user?.changeEmail).toMatchObject({ enabled: true });
	});

	it("of the platform stay as they are", () => {
		const sent: unknown[] = [];
		const data = { url: "http://site/verify?token=secret", token: "secret" };
		const options = {
			emailAndPassword: { enabled: true, sendResetPassword: async (given: unknown) => void sent.push(given) },
		};
		const tagging = { ...options } as never as Parameters<typeof tagMailLinks>[0];
		tagMailLinks(tagging, { ...pin, current: () => PLATFORM });
		void tagging.emailAndPassword?.sendResetPassword?.(data as never);
		expect(sent[0]).toBe(data);
	});

	it("are left alone where the application sends none", () => {
		for (const given of [
			{},
			{ emailVerification: {}, emailAndPassword: {}, user: {}, plugins: [] },
			{ user: { changeEmail: {} }, plugins: [{ id: "magic-link" }] },
		]) {
			const options = structuredClone(given) as never as Parameters<typeof tagMailLinks>[0];
			tagMailLinks(options, pin);
			expect(options).toEqual(given);
		}
	});

	it("keep their tenant through the redirect of Better Auth", () => {
		const tagged = encodeURIComponent(withTag("secret", "acme")).replace("~", "%7E");
		expect(tagRedirect("http://site/reset?token=secret&a=b", "acme")).toBe(`http://site/reset?token=${tagged}&a=b`);
		for (const [location, tenantId] of [
			["http://site/reset?token=secret", PLATFORM],
			["http://site/reset?error=x", "acme"],
			["http://site/reset?token=", "acme"],
			["/reset?token=secret", "acme"],
		] as const)
			expect(tagRedirect(location, tenantId)).toBeNull();
	});
});

describe("the flow cookie", () => {
	const flow = (more: { user?: object | null; cookie?: string; path?: string; signed?: string | null } = {}) => {
		const { user = { twoFactorEnabled: true }, cookie = "", path = "/sign-in/email", signed = null } = more;
		const set: unknown[] = [];
		const ctx = {
			path,
			headers: new Headers(cookie ? { cookie } : {}),
			getCookie: (name: string) => (cookie.includes(name) ? "value" : null),
			getSignedCookie: async () => signed,
			setSignedCookie: async (name: string, value: string, secret: string) => void set.push([name, value, secret]),
			setCookie: (name: string, value: string) => void set.push([name, value]),
			context: {
				secret: "platform",
				newSession: user && { user },
				createAuthCookie: (name: string) => ({ name: `app.${name}`, attributes: {} }),
			},
		};
		return { ctx: contextOf(ctx), set };
	};
	const NAME = "app.tenant_flow";

	it("names the tenant of a user who must prove a second factor, not of the platform's", async () => {
		for (const tenantId of ["acme", "globex"]) {
			const { ctx, set } = flow();
			await keepFlowTenant(ctx, tenantId, "secret");
			expect(set).toEqual([[NAME, tenantId, "secret"]]);
		}
		const { ctx, set } = flow();
		await keepFlowTenant(ctx, PLATFORM, "secret");
		await openFlow(ctx, "acme", "secret");
		expect(set).toEqual([[NAME, "acme", "secret"]]);
	});

	it("is deleted by any other sign-in, if it is there", async () => {
		for (const [more, count] of [
			[{ user: {}, cookie: `${NAME}=x` }, 1],
			[{ user: {} }, 0],
			[{ user: null, cookie: `${NAME}=x` }, 0],
			[{ path: "/two-factor/verify-totp", cookie: `${NAME}=x` }, 1],
		] as const) {
			const { ctx, set } = flow(more);
			await keepFlowTenant(ctx, "acme", "secret");
			expect(set).toEqual(Array.from({ length: count }, () => [NAME, ""]));
		}
	});

	it("is touched by a sign-in with a second factor, or with the cookie", () => {
		const touches = (more: Parameters<typeof flow>[0]) => touchesFlow(flow(more).ctx as never);
		expect(touches({})).toBe(true);
		expect(touches({ user: {}, cookie: `${NAME}=x` })).toBe(true);
		for (const more of [
			{ user: null },
			{ user: null, cookie: `${NAME}=x` },
			{ user: {} },
			{ user: { twoFactorEnabled: "yes" } },
			{ user: {}, cookie: "other=x" },
		])
			expect(touches(more)).toBe(false);
		expect(touchesFlow({ ...flow({ user: {} }).ctx, headers: undefined } as never)).toBe(false);
	});

	it("is read where a challenge is answered, whichever secret signed it", async () => {
		const PATH = "/two-factor/verify-totp";
		const again = (value: string | null) => ({ platformValue: async () => value }) as never;
		expect(await readFlowTenant(flow({ path: PATH, signed: "acme" }).ctx)).toBe("acme");
		expect(await readFlowTenant(flow({ path: PATH, signed: "acme" }).ctx, again("globex"))).toBe("acme");
		expect(await readFlowTenant(flow({ path: PATH }).ctx, again("globex"))).toBe("globex");
		expect(await readFlowTenant(flow({ path: PATH, signed: "a b" }).ctx)).toBeNull();
		expect(await readFlowTenant(flow({ path: PATH }).ctx, null)).toBeNull();
		expect(await readFlowTenant(flow({ signed: "acme" }).ctx, again("acme"))).toBeNull();
	});
});

describe("the origins that Better Auth derives", () => {
	it("are those of every allowed host, and of the fallback", () => {
		const derived = (more: object) =>
			derivedOrigins({ allowedHosts: ["*.site.test", "http://a.test"], ...more } as never);
		expect(derived({})).toEqual(["https://*.site.test", "http://a.test"]);
		expect(derived({ protocol: "https" })).toEqual(["https://*.site.test", "http://a.test"]);
		expect(derived({ protocol: "http" })).toEqual(["http://*.site.test", "http://a.test"]);
		expect(derived({ protocol: "auto" })).toEqual(["https://*.site.test", "http://*.site.test", "http://a.test"]);
		expect(derived({ allowedHosts: ["localhost:3000"] })).toEqual(["https://localhost:3000", "http://localhost:3000"]);
		expect(derived({ allowedHosts: [], fallback: "https://site.test/auth" })).toEqual(["https://site.test"]);
		expect(derived({ allowedHosts: [], fallback: "not a URL" })).toEqual([]);
		expect([derivedOrigins("https://site.test"), derivedOrigins(undefined)]).toEqual([[], []]);
	});

	it("are removed once each, so what the application trusts stays", () => {
		expect(withoutOrigins(["a", "b", "a", "c"], ["a", "x"])).toEqual(["b", "a", "c"]);
		expect(withoutOrigins(["a"], ["a", "a"])).toEqual([]);
	});
});

describe("a reserved name", () => {
	const NAME = "n".repeat(43);
	const UUID_NAME = "01234567-89ab-5cde-8f01-23456789abcd";

	it("becomes an id of the tenant's own, in tables that have such names", async () => {
		const rows = createReservedIds(undefined);
		expect([rows.isIn("verification"), rows.isIn("oauthClientAssertion"), rows.isIn("user")]).toEqual([
			true,
			true,
			false,
		]);
		const [a, b] = [await rows.idOf("verification", "acme", NAME), await rows.idOf("verification", "globex", NAME)];
		for (const id of [a, b]) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
		expect(a).not.toBe(b);
		expect(marksUsedName(a)).toBe(true);
		expect(await rows.idsOf("verification", "acme", NAME)).toEqual([NAME, a]);
		expect(await rows.idOf("oauthClientAssertion", "acme", "n".repeat(32))).not.toBe("n".repeat(32));
		for (const [table, id] of [
			["user", NAME],
			["verification", "n".repeat(32)],
			["verification", `${NAME}n`],
			["oauthClientAssertion", NAME],
			["verification", UUID_NAME],
		] as const) {
			expect(await rows.idOf(table, "acme", id)).toBe(id);
			expect(await rows.idsOf(table, "acme", id)).toBeNull();
		}
		for (const id of [17, null, undefined, [NAME]]) expect(await rows.idsOf("verification", "acme", id)).toBeNull();
	});

	it("is a UUID where the application's ids are, and an ObjectId in a column of those", async () => {
		const rows = createReservedIds("uuid");
		const id = await rows.idOf("verification", "acme", UUID_NAME);
		expect(id).not.toBe(UUID_NAME);
		expect(await rows.idsOf("verification", "acme", UUID_NAME)).toEqual([UUID_NAME, id]);
		expect(await rows.idsOf("verification", "acme", NAME)).toHaveLength(1);
		const random = UUID_NAME.replace("-5", "-4");
		expect(await rows.idOf("verification", "acme", random)).toBe(random);
		expect([marksUsedName(random), marksUsedName(NAME)]).toEqual([false, false]);
		const objectId = "0123456789abcdef01234567";
		const [a, b] = [
			await createReservedIds(undefined).idOf("verification", "acme", objectId),
			await rows.idOf("verification", "globex", objectId),
		];
		for (const one of [a, b]) expect(one).toMatch(/^[\da-f]{24}$/);
		expect(new Set([a, b, objectId]).size).toBe(3);
	});
});

describe("smaller guards", () => {
	it("read the sessions of a user in pages, and other rows as they are asked for", async () => {
		const asked: Record<string, unknown>[] = [];
		const findMany = async (query: Record<string, unknown>) => {
			asked.push(query);
			return Array.from({ length: Number(query.offset ?? 0) === 0 ? 1_000 : 3 }, (_, n) => n);
		};
		const methods = readAllSessions((model) => model === "session")({ findMany } as never);
		const where = [{ field: "userId", value: "ada" }];
		expect(await methods.findMany({ model: "session", where })).toHaveLength(1_003);
		expect(asked).toEqual(
			[0, 1_000].map((offset) => ({
				model: "session",
				where,
				sortBy: { field: "id", direction: "asc" },
				limit: 1_000,
				offset,
			})),
		);
		asked.length = 0;
		await methods.findMany({
			model: "session",
			where: [...where, { field: "expiresAt", value: new Date(), operator: "gt" }],
		});
		expect(asked.map(({ limit }) => limit)).toEqual([1_000, 1_000]);
		const sortBy = { field: "createdAt", direction: "desc" as const };
		asked.length = 0;
		await methods.findMany({ model: "session", where, sortBy });
		expect(asked.map((query) => query.sortBy)).toEqual([sortBy, sortBy]);
		for (const other of [
			{ model: "session", where, limit: 5 },
			{ model: "account", where },
			{ model: "session", where: [{ field: "token", value: "x" }] },
			{ model: "session" },
		]) {
			asked.length = 0;
			await methods.findMany(other);
			expect(asked).toEqual([other]);
		}
	});

	it("drop an id that a request chose", async () => {
		const drop = (isServerCode: boolean, user: object) => dropChosenId({ isServerCode: () => isServerCode })(user);
		// without the key, the engine would keep the id
		expect(await drop(false, { id: "chosen" })).toStrictEqual({ data: { id: undefined } });
		expect(await drop(true, { id: "chosen" })).toBeUndefined();
		expect(await drop(false, { name: "Ada" })).toBeUndefined();
	});

	it("change a user only while the storage responds", async () => {
		let responds = false;
		const changed: string[] = [];
		const change = async ({ model }: { model: string }) => void changed.push(model);
		const storage = { get: async () => (responds ? null : Promise.reject(new Error("away"))) };
		const methods = requireLiveStorage(
			storage,
			(model) => model === "user",
		)({ update: change, updateMany: change } as never);
		const query = (model: string) => ({ model, where: [], update: {} });
		for (const name of ["update", "updateMany"] as const) {
			await expect(methods[name](query("user"))).rejects.toThrow("away");
			await methods[name](query("account"));
		}
		responds = true;
		for (const name of ["update", "updateMany"] as const) await methods[name](query("user"));
		expect(changed).toEqual(["account", "account", "user", "user"]);
	});

	it("let a property pass every guard", () => {
		const target = { value: 1 };
		guardProperty(target, "value", (next) => next + 1);
		guardProperty(target, "value", (next) => {
			if (next > 100) throw new Error("too much");
			return next * 10;
		});
		expect(target.value).toBe(20);
		target.value = 3;
		expect(target.value).toBe(30);
		expect(() => {
			target.value = 101;
		}).toThrow("too much");
		expect(Object.keys(target)).toEqual(["value"]);
	});

	it("close the platform for requests, and not for server code or tenants", () => {
		const on = (tenantId: string, isServerCode: boolean, options: { signUp: boolean; signIn: boolean }) => {
			const pin = { current: () => tenantId, isServerCode: () => isServerCode } as ReturnType<
				typeof createTenantContext
			>;
			return createPlatformAccess(options, pin);
		};
		const closed = { signUp: false, signIn: false };
		const PATHS = ["/sign-up/email", "/sign-in/email"];
		for (const path of PATHS) {
			expect(() => on(PLATFORM, false, closed).before({ path })).toThrow();
			for (const open of [
				on("acme", false, closed),
				on(PLATFORM, true, closed),
				on(PLATFORM, false, { signUp: true, signIn: true }),
			])
				expect(() => open.before({ path })).not.toThrow();
		}
		expect(() => on(PLATFORM, false, closed).before({ path: "/get-session" })).not.toThrow();
		expect(() => on(PLATFORM, false, { ...closed, signUp: true }).before({ path: "/sign-up/email" })).toThrow();
		expect(() => on(PLATFORM, false, { ...closed, signUp: true }).assertSignIn()).toThrow();
		expect(() => on(PLATFORM, false, { ...closed, signIn: true }).assertSignIn()).not.toThrow();
	});

	it("read a session from its store where a token is issued in a tenant", () => {
		const versionAfter = (path: string, tenantId: string, options: object) => {
			const all = { session: { cookieCache: { enabled: true } }, ...options };
			const context = { options: all };
			createUncachedSessions(all as never)({ path, context } as never, tenantId);
			return (context.options.session.cookieCache as { version?: () => string }).version?.();
		};
		const jwt = { plugins: [{ id: "jwt" }] };
		expect(versionAfter("/token", "acme", {})).toMatch(/^[\da-f-]{36}$/);
		expect(versionAfter("/get-session", "acme", jwt)).toMatch(/^[\da-f-]{36}$/);
		for (const [path, tenantId, options] of [
			["/token", PLATFORM, {}],
			["/get-session", "acme", {}],
			["/update-user", "acme", jwt],
			["/token", "acme", { session: { cookieCache: {} } }],
		] as const)
			expect(versionAfter(path, tenantId, options)).toBeUndefined();
	});
});
