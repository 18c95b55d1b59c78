import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import {
	getCurrentDBAdapterAsyncLocalStorage,
	runWithEndpointContext,
	runWithRequestState,
} from "@better-auth/core/context";
import { APIError } from "@better-auth/core/error";
import { describe, expect, it } from "vitest";
import type { HostRules } from "../../src/resolve/host-rules.ts";
import { type Dispatch, noteDispatch } from "../../src/scope/pin/dispatch.ts";
import { isolated, isolateResolver, isResolving } from "../../src/scope/pin/isolated-resolver.ts";
import {
	exposesCause,
	hideCause,
	metOutage,
	noticeChangedUser,
	noticeFailure,
	noticingFailures,
	replaceUncaught,
	respondToOutage,
} from "../../src/scope/pin/outage.ts";
import { PLATFORM } from "../../src/scope/pin/platform.ts";
import { beginRecord } from "../../src/scope/pin/request-record.ts";
import { createTenantInstances } from "../../src/scope/request/per-tenant-instances.ts";
import { createHosts } from "../../src/scope/tenants/hosts.ts";
import { RESOLVER_TOOLS } from "../../src/scope/tenants/resolver-tools.ts";

/** A context of which this was noted. */
const noted = (known: Dispatch): object => {
	const context = {};
	noteDispatch(context, known);
	return context;
};

describe("a host", () => {
	const OWNERS: Record<string, string> = { "a.site.test": "acme", "b.site.test": "globex", "own.test": "acme" };
	const RULES: HostRules = {
		isPlatform: (host: string) => host === "www.site.test",
		covers: (host: string) => host.endsWith(".site.test"),
		findOwner: async (host: string) => OWNERS[host] ?? "",
		hostsOf: async ({ id }: { id: string }) =>
			Object.keys(OWNERS)
				.filter((host) => OWNERS[host] === id)
				.concat("B.site.test", "not a host"),
	} as never;
	const OPTIONS = {
		baseURL: { allowedHosts: ["*.site.test"], fallback: "https://site.test:8443/x", protocol: "https" },
		basePath: "/auth",
	} as never as AuthContext["options"];
	const hosts = createHosts(RULES, OPTIONS);
	const sentTo = (host: string, name = "host") => ({ headers: new Headers({ [name]: host }) });
	const NOT_FOUND = { body: { code: "TENANT_NOT_FOUND" } };

	it("belongs to a tenant, to the platform or to nobody", async () => {
		expect(hosts.home).toBe("site.test");
		const owner = async (host: string) => (await hosts.placeOf(sentTo(host), {}))?.owner;
		expect([await owner("a.site.test"), await owner("B.SITE.test:443")]).toEqual(["acme", "globex"]);
		expect([await owner("site.test"), await owner("www.site.test")]).toEqual([PLATFORM, PLATFORM]);
		for (const host of ["c.site.test", "elsewhere.test", ""])
			await expect(hosts.placeOf(sentTo(host), {})).rejects.toMatchObject(NOT_FOUND);
		await expect(hosts.placeOf({ request: new Request("http://c.site.test/") }, {})).rejects.toMatchObject(NOT_FOUND);
		expect(await hosts.placeOf({ request: new Request("http://a.site.test/") }, {})).toEqual({
			host: "a.site.test",
			owner: "acme",
		});
	});

	it("is not looked for in server code, or by a resolver", async () => {
		expect(await hosts.placeOf({}, {})).toBeNull();
		expect(await hosts.placeOf({ headers: new Headers({ cookie: "a=b" }) }, {})).toBeNull();
		expect(await isolated(() => hosts.placeOf(sentTo("a.site.test"), {}))).toBeNull();
	});

	it("may be forwarded, if the application trusts that", async () => {
		const context = { [RESOLVER_TOOLS]: { trustsForwarded: true } };
		expect(await hosts.placeOf(sentTo("a.site.test", "x-forwarded-host"), context)).toMatchObject({ owner: "acme" });
		await expect(hosts.placeOf(sentTo("a.site.test", "x-forwarded-host"), {})).rejects.toMatchObject(NOT_FOUND);
	});

	// threat 25
	it("is where links of server code lead, only if it is the tenant's or the platform's", async () => {
		const home = { host: "site.test", owner: PLATFORM };
		const place = (tenantId: string, host: string) => hosts.findPlaceFor(tenantId, sentTo(host), {});
		expect(await place("acme", "a.site.test")).toEqual({ host: "a.site.test", owner: "acme" });
		expect(await place("acme", "www.site.test")).toEqual({ host: "www.site.test", owner: PLATFORM });
		for (const host of ["b.site.test", "c.site.test"]) expect(await place("acme", host)).toEqual(home);
		expect(await hosts.findPlaceFor("acme", {}, {})).toEqual(home);
		const failing = createHosts(
			{ ...RULES, findOwner: async () => Promise.reject(new Error("no database")) } as never,
			OPTIONS,
		);
		await expect(failing.findPlaceFor("acme", sentTo("a.site.test"), {})).rejects.toThrow("no database");
	});

	it("becomes the base URL and the only derived origin of its request", () => {
		expect(hosts.baseURLOf("a.site.test")).toBe("https://a.site.test:8443/auth");
		const context = {
			options: { a: 1 },
			trustedOrigins: ["https://*.site.test", "https://site.test:8443", "https://app.test"],
		};
		hosts.settle(context as never, { host: "a.site.test", owner: "acme" });
		const settled = {
			baseURL: "https://a.site.test:8443/auth",
			options: { a: 1, baseURL: "https://a.site.test:8443" },
			trustedOrigins: ["https://a.site.test:8443", "https://app.test"],
		};
		expect(context).toMatchObject(settled);
		hosts.settle(context as never, { host: "b.site.test", owner: "globex" });
		expect(context).toMatchObject(settled);
		for (const [basePath, expected] of [
			[undefined, "https://a.site.test/api/auth"],
			["auth", "https://a.site.test/auth"],
			["/", "https://a.site.test"],
		])
			expect(createHosts(RULES, { baseURL: "https://site.test", basePath } as never).baseURLOf("a.site.test")).toBe(
				expected,
			);
	});

	it("is listed with its tenant, each once and only if it is the tenant's", async () => {
		expect(await hosts.hostsOf({ id: "acme" } as never, {})).toEqual(["a.site.test", "own.test"]);
		expect(await hosts.hostsOf({ id: "globex" } as never, {})).toEqual(["b.site.test"]);
		expect(await isolated(() => hosts.hostsOf({ id: "acme" } as never, {}))).toEqual([]);
	});

	it("can be claimed by no tenant, if it is the platform's or a subdomain", () => {
		expect(["site.test", "www.site.test", "x.site.test", "own.test"].map(hosts.isReserved)).toEqual([
			true,
			true,
			true,
			false,
		]);
	});

	it("serves its own tenant, and on the platform's any", () => {
		const serve =
			(owner: string, tenantId: string, path = "/get-session") =>
			() =>
				hosts.assertServedAt({ host: "x", owner }, { path } as GenericEndpointContext, tenantId);
		expect(serve("acme", "acme")).not.toThrow();
		expect(serve(PLATFORM, "acme")).not.toThrow();
		expect(serve("acme", PLATFORM, "/tenant/list")).not.toThrow();
		for (const refused of [serve("acme", "globex"), serve("acme", PLATFORM), serve("acme", "globex", "/tenant/list")])
			expect(refused).toThrow(
				expect.objectContaining({ body: expect.objectContaining({ code: "TENANT_HOST_MISMATCH" }) }),
			);
	});
});

describe("a resolver", () => {
	it("runs alone: what it calls resolves nothing and pins nothing", async () => {
		expect(isResolving()).toBe(false);
		const resolve = isolateResolver(async () => {
			expect(isResolving()).toBe(true);
			return isolateResolver(() => "never")({ path: "/" });
		});
		expect(await resolve({ path: "/" })).toBeNull();
		expect(await isolateResolver(() => "acme")({ path: "/" })).toBe("acme");
		expect(isResolving()).toBe(false);
	});
});

describe("an outage", () => {
	const LOST = Object.assign(new Error("lost"), { code: "ECONNREFUSED" });
	const unauthorized = () => new APIError("UNAUTHORIZED");
	type Hook = Parameters<typeof respondToOutage>[0];
	const hook = (more: Partial<Hook> = {}, context: object = {}): Hook => ({
		path: "/get-session",
		request: new Request("http://localhost"),
		...more,
		context: { returned: unauthorized(), responseHeaders: new Headers({ "set-cookie": "session=" }), ...context },
	});
	const inRequest = async <Result>(run: () => Promise<Result>): Promise<Result> =>
		runWithRequestState(new WeakMap(), run);

	it("turns a refusal of its request into 503, and keeps the cookies", async () => {
		await inRequest(async () => {
			expect(metOutage()).toBe(false);
			expect(await respondToOutage(hook())).toBeUndefined();
			expect(await noticeFailure(LOST)).toBe(LOST);
			expect(metOutage()).toBe(true);
			const after = hook();
			const response = await respondToOutage(after);
			expect(response?.status).toBe(503);
			expect(await response?.json()).toMatchObject({ code: "STORE_UNAVAILABLE" });
			expect([response?.headers.get("cache-control"), response?.headers.get("retry-after")]).toEqual(["no-store", "1"]);
			expect(after.context.responseHeaders?.has("set-cookie")).toBe(false);
			for (const returned of [{}, null, new APIError("INTERNAL_SERVER_ERROR"), new APIError("FOUND")])
				expect(await respondToOutage(hook({}, { returned }))).toBeUndefined();
			expect((await respondToOutage(hook({ path: "/sign-out" }, { returned: { success: true } })))?.status).toBe(503);
		});
		expect(metOutage()).toBe(false);
	});

	it("is thrown to server code, and to an endpoint that called another one", async () => {
		await inRequest(async () => {
			await noticeFailure(LOST);
			for (const inside of [hook({ request: undefined }), hook({}, noted({ isDelegated: true }))])
				await expect(respondToOutage(inside)).rejects.toMatchObject({ statusCode: 503 });
		});
	});

	it("is none if the database answered", async () => {
		await inRequest(async () => {
			await noticeFailure(Object.assign(new Error("taken"), { code: "23505" }));
			expect(metOutage()).toBe(false);
		});
	});

	it("fails a request after which the storage has what it should not", async () => {
		const storage = noticingFailures({
			delete: async () => Promise.reject(LOST),
			set: async () => Promise.reject(LOST),
		});
		const fails = async (name: "delete" | "set", changesUser: boolean): Promise<boolean> =>
			inRequest(async () => {
				if (changesUser) await noticeChangedUser();
				await expect(storage[name]()).rejects.toBe(LOST);
				return (await respondToOutage(hook({}, { returned: {} })))?.status === 503;
			});
		expect([await fails("delete", false), await fails("set", true), await fails("set", false)]).toEqual([
			true,
			true,
			false,
		]);
		const answering = noticingFailures({ delete: async () => Promise.reject(new APIError("CONFLICT")) });
		await inRequest(async () => {
			await expect(answering.delete()).rejects.toThrow();
			expect(await respondToOutage(hook({}, { returned: {} }))).toBeUndefined();
		});
		// outside of a request there is nothing to remember
		await noticeChangedUser();
		await expect(storage.delete()).rejects.toBe(LOST);
	});

	it("replaces only an empty 500, of a request that met one", async () => {
		const empty = new Response(null, { status: 500 });
		const context = {};
		expect(replaceUncaught(empty, context)).toBeUndefined();
		beginRecord(context);
		expect(replaceUncaught(empty, context)).toBeUndefined();
		// endpoints run with a copy of the context; the error leaves the engine's state
		await runWithRequestState(new WeakMap(), () =>
			runWithEndpointContext({ context: { ...context } } as never, async () => noticeFailure(LOST)),
		);
		expect(replaceUncaught(empty, context)?.response.status).toBe(503);
		expect(replaceUncaught(new Response("text", { status: 500 }), context)).toBeUndefined();
		expect(replaceUncaught(new Response(null, { status: 404 }), context)).toBeUndefined();
	});

	it("shows no error of the database in a response", async () => {
		const returned = new APIError("UNAUTHORIZED", { message: "x", cause: LOST });
		expect(exposesCause({ context: { returned } })).toBe(true);
		await hideCause({ context: { returned } });
		expect(returned.body).not.toHaveProperty("cause");
		for (const other of [
			returned,
			new APIError("UNAUTHORIZED"),
			new Error("x", { cause: LOST }),
			null,
			{ body: { cause: LOST } },
		]) {
			expect(exposesCause({ context: { returned: other } })).toBe(false);
			await hideCause({ context: { returned: other } });
		}
	});
});

describe("the instances by which plugins cache", () => {
	const adapter = { id: "memory" } as never as AuthContext["adapter"];
	const jwt = { id: "jwt", options: { jwt: { issuer: "x" }, jwks: { jwksPath: "/keys", rotationInterval: 5 } } };
	const other = { id: "other" };
	const create = (plugins: { id: string; options?: object }[], since: number | null = null) => {
		let now = since;
		const getPlugin = ((id: string) => plugins.find((plugin) => plugin.id === id)) as AuthContext["getPlugin"];
		const instances = createTenantInstances(adapter, getPlugin, async () => now);
		return { instances, getPlugin, endSessions: () => (now = 17) };
	};

	it("are a tenant's own, and the same until its sessions are ended", async () => {
		const { instances, getPlugin, endSessions } = create([jwt, other]);
		const [a, b] = [await instances("acme"), await instances("globex")];
		expect(await instances("acme")).toBe(a);
		expect(new Set([adapter, a.adapter, b.adapter]).size).toBe(3);
		expect(a.adapter).toEqual(adapter);
		expect(await instances(PLATFORM)).toEqual({ adapter, getPlugin });
		expect((await instances(PLATFORM)).adapter).toBe(adapter);
		expect(a.getPlugin("other")).toBe(other);
		endSessions();
		expect(await instances("acme")).not.toBe(a);
	});

	it("name the keys of the tenant", async () => {
		const { instances } = create([jwt]);
		const optionsOf = async (tenantId: string) => (await instances(tenantId)).getPlugin("jwt")?.options;
		expect(await optionsOf("acme")).toEqual({
			jwt: { issuer: "x" },
			jwks: { jwksPath: "/keys?tenantId=acme", rotationInterval: 5 },
		});
		expect(await optionsOf("globex")).toMatchObject({ jwks: { jwksPath: "/keys?tenantId=globex" } });
		expect(jwt.options.jwks.jwksPath).toBe("/keys");
		const bare = create([{ id: "jwt" }]).instances;
		expect((await bare("acme")).getPlugin("jwt")?.options).toEqual({ jwks: { jwksPath: "/jwks?tenantId=acme" } });
		expect((await create([]).instances("acme")).getPlugin("jwt")).toBeUndefined();
	});

	it("replace the current adapter of a request, and none of a transaction or of somebody else", async () => {
		const { instances } = create([]);
		const current = await getCurrentDBAdapterAsyncLocalStorage();
		const after = (running: object, tenantId = "acme"): Promise<unknown> =>
			current.run(running as never, async () => {
				await instances(tenantId);
				return (running as { adapter: unknown }).adapter;
			});
		const [a, b] = [(await instances("acme")).adapter, (await instances("globex")).adapter];
		expect(await after({ adapter, isTransactionActive: false })).toBe(a);
		expect(await after({ adapter: b, isTransactionActive: false })).toBe(a);
		expect(await after({ adapter: a, isTransactionActive: false }, PLATFORM)).toBe(adapter);
		expect(await after({ adapter, isTransactionActive: true })).toBe(adapter);
		const foreign = { id: "foreign" };
		expect(await after({ adapter: foreign, isTransactionActive: false })).toBe(foreign);
	});
});
