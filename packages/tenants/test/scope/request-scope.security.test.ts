import type { BetterAuthOptions, GenericEndpointContext } from "@better-auth/core";
import { runWithRequestState } from "@better-auth/core/context";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { type Dispatch, dispatchOf, noteDispatch } from "../../src/scope/pin/dispatch.ts";
import { PLATFORM } from "../../src/scope/pin/platform.ts";
import { withTag } from "../../src/scope/pin/tag.ts";
import { createTenantContext } from "../../src/scope/pin/tenant-context.ts";
import {
	createRequestScope,
	mayChangeResponse,
	pinBeforeApplicationHook,
	type ScopeWith,
} from "../../src/scope/request/request-scope.ts";

/** A context of which this was noted. */
const noted = (known: Dispatch): object => {
	const context = {};
	noteDispatch(context, known);
	return context;
};

type Parts = {
	path?: string;
	hint?: string;
	query?: object;
	params?: object;
	request?: Request | null;
	context?: object;
};

/** A request scope in a world where acme and globex exist, and what it did. */
const createScope = (more: Partial<ScopeWith> = {}) => {
	const did: string[] = [];
	const pin = createTenantContext();
	const scope = createRequestScope({
		pin,
		sources: { tenantHeader: false },
		known: { isOpen: async () => true, admits: async (tenantId) => ["acme", "globex", PLATFORM].includes(tenantId) },
		lookUpCredential: async () => null,
		isLive: async () => false,
		secrets: async (tenantId) => ({ secret: `${tenantId}'s`, secretConfig: `${tenantId}'s` }),
		instances: async (tenantId) => ({ adapter: `${tenantId}'s` }) as never,
		hosts: null,
		assertSentFields: () => void did.push("fields"),
		assertTenantsOpen: async () => void did.push("open"),
		admit: async (tenantId) => void did.push(`admit ${tenantId}`),
		reSigning: null,
		checksOf: () => [{ run: (_ctx, tenantId) => void did.push(`pinned ${tenantId}`) }],
		...more,
	});
	const contextOf = ({
		path = "/sign-in/email",
		hint,
		query,
		params,
		request = new Request("http://localhost"),
		context = {},
	}: Parts) =>
		({
			path,
			query,
			params,
			request: request ?? undefined,
			body: hint === undefined ? undefined : { tenantId: hint },
			headers: undefined,
			getCookie: () => null,
			getSignedCookie: async () => null,
			context: {
				options: {},
				hasPlugin: () => false,
				authCookies: { sessionToken: { name: "session" } },
				createAuthCookie: (name: string) => ({ name, attributes: {} }),
				...context,
			},
		}) as never as GenericEndpointContext;
	const send = async (parts: Parts = {}) => {
		const ctx = contextOf(parts);
		const patch = await scope.before(ctx);
		return { patch, context: ctx.context as GenericEndpointContext["context"] };
	};
	const inRequest = async <Result>(run: () => Promise<Result>): Promise<Result> => {
		await pin.ready();
		return runWithRequestState(new WeakMap(), run);
	};
	return { scope, pin, send, inRequest, did, contextOf };
};

const codeOf = (code: string) => ({ body: { code } });
const ADDRESSED = "/tenants/:tenantId/sso/callback/:providerId";

describe("a request", () => {
	it("is pinned to its tenant, with the tenant's secrets and objects, and is counted once", async () => {
		const { send, inRequest, did, pin } = createScope();
		await inRequest(async () => {
			const { context } = await send({ hint: "acme" });
			expect(context).toMatchObject({ secret: "acme's", secretConfig: "acme's", adapter: "acme's" });
			expect(dispatchOf(context).tenantId).toBe("acme");
			expect(pin.ofRequest()).toBe("acme");
			expect(did).toEqual(["fields", "admit acme", "open", "pinned acme"]);
			// a call of the same request
			await send({ request: null });
			expect(did.slice(4)).toEqual(["fields", "open", "pinned acme"]);
		});
		await inRequest(async () => expect(dispatchOf((await send({ hint: "globex" })).context).tenantId).toBe("globex"));
	});

	it("of the platform works while tenants cannot be isolated, and a call of server code is not counted", async () => {
		const { send, inRequest, did } = createScope();
		await inRequest(() => send({ request: null }));
		expect(did).toEqual(["fields", `pinned ${PLATFORM}`]);
	});

	it("runs in the tenant of runWithTenant, which must exist and be served by the path", async () => {
		const { send, inRequest, did } = createScope();
		const inTenant = (tenantId: string, parts: Parts) => inRequest(() => runWithTenant(tenantId, () => send(parts)));
		expect(dispatchOf((await inTenant("acme", { hint: "globex" })).context).tenantId).toBe("acme");
		expect(did).toContain("admit acme");
		did.length = 0;
		await inTenant("acme", { request: null });
		expect(did).not.toContain("admit acme");
		await expect(inTenant("nobody", {})).rejects.toMatchObject(codeOf("TENANT_NOT_FOUND"));
		expect(
			dispatchOf((await inTenant("acme", { path: ADDRESSED, params: { tenantId: "acme" } })).context).tenantId,
		).toBe("acme");
		for (const parts of [
			{ path: ADDRESSED, params: { tenantId: "globex" } },
			{ path: ADDRESSED },
			{ path: "/sso/callback" },
		])
			await expect(inTenant("acme", parts)).rejects.toMatchObject(codeOf("TENANT_SCOPE_CONFLICT"));
		expect(dispatchOf((await inTenant(PLATFORM, { path: "/sso/callback" })).context).tenantId).toBe(PLATFORM);
		// the engine hands the context of the tenant on
		expect(
			dispatchOf((await inTenant("acme", { path: "/sso/callback", context: noted({ tenantId: "acme" }) })).context)
				.tenantId,
		).toBe("acme");
	});

	// threat 53
	it("stays in its tenant: a call inside it that names another one is refused", async () => {
		const { send, inRequest } = createScope();
		const REFUSED = codeOf("TENANT_SCOPE_CONFLICT");
		await inRequest(async () => {
			const request = new Request("http://localhost");
			await send({ hint: "acme", request });
			expect(dispatchOf((await send({ hint: "acme", request: null })).context).tenantId).toBe("acme");
			expect(dispatchOf((await send({ request })).context).tenantId).toBe("acme");
			for (const one of [null, request])
				await expect(send({ hint: "globex", request: one })).rejects.toMatchObject(REFUSED);
			// another request names a tenant in more ways, and the platform by naming none
			await expect(send({})).rejects.toMatchObject(REFUSED);
			await expect(send({ path: "/verify-email", query: { token: withTag("x", "globex") } })).rejects.toMatchObject(
				REFUSED,
			);
			expect(
				dispatchOf((await send({ path: "/verify-email", query: { token: withTag("x", "acme") } })).context).tenantId,
			).toBe("acme");
			// an operator names the tenant that they manage
			expect(dispatchOf((await send({ path: "/tenant/list", hint: "globex" })).context).tenantId).toBe("acme");
			// the engine hands the scoped context on
			expect(dispatchOf((await send({ hint: "globex", context: noted({ tenantId: "acme" }) })).context).tenantId).toBe(
				"acme",
			);
		});
	});

	it("takes no session along into another tenant", async () => {
		const { send, inRequest } = createScope();
		const after = async (from?: string) => {
			const context = { session: "session", newSession: "new", ...(from ? noted({ tenantId: from }) : {}) };
			const sent = await inRequest(() => runWithTenant("acme", () => send({ context })));
			const { session, newSession } = sent.context as never as typeof context;
			return [session, newSession];
		};
		expect(await after()).toEqual(["session", "new"]);
		expect(await after("acme")).toEqual(["session", "new"]);
		expect(await after("globex")).toEqual([null, null]);
	});

	it("is bound to its host, if hosts belong to tenants", async () => {
		const did: unknown[] = [];
		const place = { host: "a.test", owner: "acme" };
		const hosts = {
			placeOf: async () => place,
			findPlaceFor: async (tenantId: string) => ({ host: "found.test", owner: tenantId }),
			assertServedAt: (...given: [object, object, string]) => void did.push(["assert", given[0], given[2]]),
			settle: (_context: object, given: object) => void did.push(["settle", given]),
		};
		const { send, inRequest } = createScope({ hosts: hosts as never });
		await inRequest(() => send({ hint: "acme" }));
		const found = { host: "found.test", owner: "globex" };
		await inRequest(() => runWithTenant("globex", () => send()));
		expect(did).toEqual([
			["assert", place, "acme"],
			["settle", place],
			["assert", found, "globex"],
			["settle", found],
		]);
		did.length = 0;
		const nowhere = createScope({ hosts: { ...hosts, placeOf: async () => null } as never });
		await nowhere.inRequest(() => nowhere.send());
		expect(did).toEqual([]);
	});

	it("reaches the endpoint without the tag of its token, and with a token of the present secret", async () => {
		const again = {
			request: async (ctx: object) => ctx,
			token: async (token: string, tenantId: string) => `${token} of ${tenantId}`,
		};
		for (const reSigning of [null, again] as never as ScopeWith["reSigning"][]) {
			const { send, inRequest } = createScope({ reSigning });
			const patch = async (token: string, hint?: string) =>
				(await inRequest(() => send({ path: "/verify-email", query: { token }, ...(hint ? { hint } : {}) }))).patch;
			const expected = (tenantId: string) => ({
				context: { query: { token: reSigning ? `x of ${tenantId}` : "x" } },
			});
			expect(await patch(withTag("x", "acme"))).toEqual(expected("acme"));
			expect(await patch(withTag("x", "acme"), "globex")).toBeUndefined();
			expect(await patch("x~not a tag")).toBeUndefined();
			expect(await patch("x")).toEqual(expected(PLATFORM));
			expect(await patch("x", "acme")).toEqual(reSigning ? expected("acme") : undefined);
			expect((await inRequest(() => send())).patch).toBeUndefined();
		}
	});
});

describe("a response", () => {
	const after = async (path: string, location: string | null, tenantId = "acme") => {
		const { scope, inRequest, contextOf } = createScope();
		const set: unknown[] = [];
		const ctx = contextOf({ path, context: { responseHeaders: new Headers(location ? { location } : {}) } });
		Object.assign(ctx, { setHeader: (...given: unknown[]) => set.push(given) });
		await inRequest(() => runWithTenant(tenantId, () => scope.after(ctx as never)));
		return set;
	};
	const RESET = "/reset-password/:token";

	it("names the tenant in the token of a redirect, where the engine redirects with one", async () => {
		const location = "http://site/reset?token=x";
		for (const tenantId of ["acme", "globex"])
			expect(await after(RESET, location, tenantId)).toEqual([
				["location", `http://site/reset?token=${withTag("x", tenantId).replace("~", "%7E")}`],
			]);
		expect(await after("/callback/:id", location)).toEqual([]);
		expect(await after(RESET, location, PLATFORM)).toEqual([]);
		expect(await after(RESET, "http://site/reset?error=x")).toEqual([]);
		expect(await after(RESET, null)).toEqual([]);
	});

	it("may be changed for such a redirect, or for a pending challenge", () => {
		const may = (path: string, user: object | null) =>
			mayChangeResponse({
				path,
				context: { newSession: user && { user }, createAuthCookie: () => ({ name: "flow" }) },
			} as never);
		expect(may(RESET, null)).toBe(true);
		expect(may("/sign-in/email", { twoFactorEnabled: true })).toBe(true);
		expect(may("/sign-in/email", {})).toBe(false);
		expect(may("/sign-in/email", null)).toBe(false);
	});
});

describe("the application's before-hook", () => {
	it("runs after the request is pinned, and stays as it is if there is none", async () => {
		const log: string[] = [];
		const before = async () => void log.push("pinned");
		const own = { before: async () => "own result", after: async () => {} };
		const options = { hooks: own } as never as BetterAuthOptions;
		pinBeforeApplicationHook(options, before as never);
		expect(options.hooks?.after).toBe(own.after);
		const hook = options.hooks?.before as never as (input: object) => Promise<unknown>;
		expect(await hook({ context: {}, headers: new Headers() })).toBe("own result");
		expect(log).toEqual(["pinned"]);
		for (const given of [{}, { hooks: {} }]) {
			const bare = { ...given } as BetterAuthOptions;
			pinBeforeApplicationHook(bare, before as never);
			expect(bare).toEqual(given);
		}
	});
});
