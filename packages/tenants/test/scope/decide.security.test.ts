import type { GenericEndpointContext } from "@better-auth/core";
import { describe, expect, it } from "vitest";
import { PLATFORM } from "../../src/scope/pin/platform.ts";
import { withTag } from "../../src/scope/pin/tag.ts";
import { decideTenant, resolvable } from "../../src/scope/request/decide.ts";
import { newSessionToken } from "../../src/scope/sessions/session-proof.ts";
import { RESOLVER_TOOLS, resolverToolsOf } from "../../src/scope/tenants/resolver-tools.ts";

type Sent = {
	path: string;
	/** the tenant of the session cookie */
	session?: string;
	/** the tenant of the bearer token */
	bearer?: string;
	hint?: string;
	/** the tenant that the state or the token names */
	tag?: string;
	/** the tenant of the flow cookie */
	flow?: string;
	/** the tenant of another credential */
	credential?: string;
	params?: object;
	/** the sessions of these tenants are live */
	live?: string[];
	open?: string[];
	suspended?: string[];
};

/** The tenant of a request in a world where acme and globex exist. */
const decide = async ({ open = ["acme", "globex"], suspended = [], live = open, ...sent }: Sent): Promise<string> => {
	const tagged =
		sent.tag === undefined ? {} : { [sent.path.startsWith("/callback") ? "state" : "token"]: withTag("x", sent.tag) };
	const ctx = {
		path: sent.path,
		headers: new Headers(
			sent.bearer === undefined ? {} : { authorization: `Bearer ${newSessionToken(sent.bearer, null)}` },
		),
		query: tagged,
		params: sent.params,
		body: sent.hint === undefined ? undefined : { tenantId: sent.hint },
		getCookie: () => (sent.session === undefined ? null : `${newSessionToken(sent.session, null)}.signature`),
		getSignedCookie: async () => sent.flow ?? null,
		context: {
			authCookies: { sessionToken: { name: "session" } },
			createAuthCookie: () => ({ name: "flow" }),
			hasPlugin: () => true,
		},
	};
	const admits = async (tenantId: string): Promise<boolean> => {
		if (suspended.includes(tenantId)) throw new Error(`${tenantId} is suspended`);
		return open.includes(tenantId);
	};
	return decideTenant(ctx as unknown as GenericEndpointContext, {
		sources: { tenantHeader: false },
		known: { isOpen: async (tenantId) => open.includes(tenantId), admits },
		lookUpCredential: async () => sent.credential ?? null,
		isLive: async (_ctx, { tenantId }) => live.includes(tenantId),
	});
};

const NOT_FOUND = { body: { code: "TENANT_NOT_FOUND" } };
const ADDRESSED = "/tenants/:tenantId/sso/callback/:providerId";

describe("the tenant of a request", () => {
	it("is the platform on paths of the platform, whatever the request carries", async () => {
		expect(await decide({ path: "/sso/callback", session: "acme", hint: "acme", credential: "acme" })).toBe(PLATFORM);
	});

	it("is the one in the path, if it is open", async () => {
		const at = (tenantId: unknown, more: Partial<Sent> = {}) =>
			decide({ path: ADDRESSED, params: { tenantId }, session: "globex", ...more });
		expect(await at("acme")).toBe("acme");
		for (const other of ["nobody", PLATFORM, "a b", undefined, ["acme"]])
			await expect(at(other, { open: ["acme", PLATFORM, "a b"] })).rejects.toMatchObject(NOT_FOUND);
		await expect(decide({ path: ADDRESSED })).rejects.toMatchObject(NOT_FOUND);
		await expect(at("acme", { suspended: ["acme"] })).rejects.toThrow("acme is suspended");
	});

	it("is that of an open session for management, and never that of a hint", async () => {
		const manage = (more: Partial<Sent>) => decide({ path: "/tenant/list", hint: "globex", ...more });
		expect(await manage({ session: "acme" })).toBe("acme");
		expect(await manage({})).toBe(PLATFORM);
		// a suspended tenant's cookie beside a management key must not reject the request
		expect(await manage({ session: "acme", suspended: ["acme"], open: [] })).toBe(PLATFORM);
	});

	it("is that of the state in a callback, which no hint and no session changes", async () => {
		const callBack = (more: Partial<Sent>) => decide({ path: "/callback/:id", session: "globex", ...more });
		expect(await callBack({ tag: "acme", hint: "globex" })).toBe("acme");
		expect(await callBack({ tag: PLATFORM, hint: "globex" })).toBe(PLATFORM);
		expect(await callBack({ tag: "nobody", hint: "globex" })).toBe(PLATFORM);
		await expect(callBack({ tag: "acme", suspended: ["acme"] })).rejects.toThrow("acme is suspended");
		expect(await callBack({ hint: "acme" })).toBe("acme");
		expect(await callBack({})).toBe(PLATFORM);
	});

	it("is that of the token in a link, unless a hint names one", async () => {
		expect(await decide({ path: "/verify-email", tag: "acme", session: "globex" })).toBe("acme");
		expect(await decide({ path: "/verify-email", tag: "acme", hint: "globex" })).toBe("globex");
		expect(await decide({ path: "/verify-email", session: "globex" })).toBe(PLATFORM);
	});

	it("is that of the hint, which must be open", async () => {
		for (const path of ["/sign-in/email", "/update-user", "/send-verification-email", "/verify-email"]) {
			expect(await decide({ path, hint: "acme" })).toBe("acme");
			await expect(decide({ path, hint: "nobody" })).rejects.toMatchObject(NOT_FOUND);
			await expect(decide({ path, hint: "acme", suspended: ["acme"] })).rejects.toThrow("acme is suspended");
		}
	});

	it("is the platform for a sign-in without a hint, whatever session the browser has", async () => {
		expect(await decide({ path: "/sign-in/email", session: "acme", credential: "acme", flow: "acme" })).toBe(PLATFORM);
	});

	// threat 5
	it("is never that of a hint for another session, existing or not", async () => {
		for (const hint of ["globex", "nobody"])
			await expect(decide({ path: "/update-user", session: "acme", hint })).rejects.toMatchObject({
				body: { code: "SESSION_TENANT_MISMATCH" },
			});
		expect(await decide({ path: "/update-user", session: "acme", hint: "acme" })).toBe("acme");
		expect(await decide({ path: "/update-user", session: "acme", hint: "globex", live: [] })).toBe("globex");
		expect(await decide({ path: "/sign-in/email", session: "acme", hint: "globex" })).toBe("globex");
	});

	it("is that of the hint when a session is checked, or the platform, so nothing says whether it exists", async () => {
		expect(await decide({ path: "/get-session", session: "acme", hint: "globex" })).toBe("globex");
		expect(await decide({ path: "/get-session", session: "acme", hint: "nobody" })).toBe(PLATFORM);
		await expect(decide({ path: "/get-session", hint: "nobody" })).rejects.toMatchObject(NOT_FOUND);
	});

	it("is that of the session, then of a pending challenge, then of another credential", async () => {
		const path = "/two-factor/verify-totp";
		expect(await decide({ path, session: "acme", flow: "globex", credential: "globex" })).toBe("acme");
		expect(await decide({ path, flow: "acme", credential: "globex" })).toBe("acme");
		expect(await decide({ path, credential: "acme" })).toBe("acme");
		expect(await decide({ path })).toBe(PLATFORM);
		expect(await decide({ path: "/update-user", flow: "acme" })).toBe(PLATFORM);
		await expect(decide({ path, session: "acme", suspended: ["acme"] })).rejects.toThrow("acme is suspended");
	});

	it("is that of the credential before the session, where machines and returning browsers call", async () => {
		const path = "/device/token";
		expect(await decide({ path, session: "acme", credential: "globex" })).toBe("globex");
		expect(await decide({ path, session: "acme" })).toBe("acme");
		expect(await decide({ path })).toBe(PLATFORM);
	});

	it("is that of a live bearer token before the cookie", async () => {
		const path = "/update-user";
		expect(await decide({ path, bearer: "acme", session: "globex" })).toBe("acme");
		expect(await decide({ path, bearer: "acme", session: "globex", live: ["globex"] })).toBe("globex");
		expect(await decide({ path, bearer: "acme", live: [] })).toBe("acme");
	});
});

describe("a request as a resolver sees it", () => {
	it("has the parts of the request, and what the plugin hands on", () => {
		const handed = { tenants: {}, trustsForwarded: true, platformHost: "platform.test" };
		const parts = {
			path: "/ok",
			body: { a: 1 },
			query: { b: 2 },
			headers: new Headers({ "x-forwarded-host": "Acme.test:80" }),
		};
		const ctx = { ...parts, context: { [RESOLVER_TOOLS]: handed } } as unknown as GenericEndpointContext;
		expect(resolverToolsOf(ctx.context)).toBe(handed);
		const { host, tenants, platformHost, ...rest } = resolvable(ctx);
		expect([host, tenants, platformHost]).toEqual(["acme.test", handed.tenants, "platform.test"]);
		expect(rest).toEqual({ ...parts, request: undefined });
		const bare = resolvable({ context: {} } as GenericEndpointContext);
		expect([bare.path, bare.tenants, bare.platformHost]).toEqual(["", undefined, undefined]);
	});
});
