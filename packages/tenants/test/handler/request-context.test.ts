import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import * as fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTenantHandler } from "../../src/index.ts";

afterEach(() => vi.unstubAllEnvs());

/** An instance whose requests end with the context that a plugin received, and both of its handlers. */
const createPair = (options: BetterAuthOptions) => {
	const seen: AuthContext[] = [];
	const spy: BetterAuthPlugin = {
		id: "spy",
		onRequest: async (_request, context) => {
			seen.push(context);
			return { response: new Response(null) };
		},
	};
	const auth = betterAuth({
		secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
		database: memoryAdapter({ user: [], session: [], account: [], verification: [], rateLimit: [] }),
		rateLimit: { enabled: false },
		logger: { disabled: true },
		...options,
		plugins: [...(options.plugins ?? []), spy],
	});
	const contextBy = async (handler: (request: Request) => Promise<Response>, request: Request) => {
		try {
			await handler(request);
			return describeContext(seen.pop());
		} catch (error) {
			return String(error);
		}
	};
	const kept = createTenantHandler(auth);
	return async (request: () => Request) => [await contextBy(auth.handler, request()), await contextBy(kept, request())];
};

/** Every field: by its value if the handler creates it, and by identity if not. */
const describeContext = (context: AuthContext | undefined) => {
	if (!context) throw new Error("no plugin saw the request");
	const { options, trustedOrigins, trustedProviders, baseURL, authCookies, createAuthCookie, ...rest } = context;
	return {
		baseURL,
		trustedOrigins,
		trustedProviders,
		options: Object.entries(options),
		cookies: JSON.stringify(authCookies),
		cookie: JSON.stringify(createAuthCookie("some")),
		rest: Reflect.ownKeys(rest).map((name) => [name, Reflect.get(rest, name)]),
		own: Reflect.ownKeys(context).map((name) => [name, kindOf(Reflect.getOwnPropertyDescriptor(context, name))]),
		prototype: Object.getPrototypeOf(context),
	};
};

const kindOf = ({ value: _value, get, set, ...kind }: PropertyDescriptor = {}) => ({ ...kind, get, set });

const HOSTS = ["app.example.com", "acme.app.example.com", "evil.example", "localhost:3000", "[::1]:80", "a b", ""];

const OPTIONS: [string, BetterAuthOptions][] = [
	["one base URL", { baseURL: "https://app.example.com" }],
	["a base URL with a path", { baseURL: "https://app.example.com/auth" }],
	["another base path", { baseURL: "https://app.example.com", basePath: "/auth" }],
	["no base URL", {}],
	["no base URL, behind a proxy", { advanced: { trustedProxyHeaders: true } }],
	["allowed hosts", { baseURL: { allowedHosts: ["*.app.example.com", "localhost:*"] } }],
	[
		"allowed hosts with a fallback, behind a proxy",
		{
			baseURL: { allowedHosts: ["*.app.example.com"], fallback: "https://app.example.com", protocol: "https" },
			advanced: { trustedProxyHeaders: true },
		},
	],
	[
		"allowed hosts of any protocol, with a fallback that has a path",
		{
			baseURL: {
				allowedHosts: ["*.app.example.com", "http://localhost:3000"],
				fallback: "https://app.example.com/x",
				protocol: "auto",
			},
			basePath: "/auth",
		},
	],
	[
		"cookies for all subdomains",
		{
			baseURL: { allowedHosts: ["*.app.example.com", "app.example.com"] },
			advanced: { crossSubDomainCookies: { enabled: true } },
		},
	],
	[
		"functions of the request",
		{
			baseURL: "https://app.example.com",
			trustedOrigins: async (request) => [`https://${request?.headers.get("host") ?? "none"}`, null, ""],
			account: { accountLinking: { trustedProviders: async (request) => [request?.headers.get("host") ?? ""] } },
		},
	],
	[
		"functions of the request and allowed hosts",
		{
			baseURL: { allowedHosts: ["*.app.example.com"], fallback: "https://app.example.com" },
			trustedOrigins: (request) => [request?.headers.get("host") ?? "none"],
			account: { accountLinking: { trustedProviders: (request) => [request?.headers.get("host") ?? ""] } },
		},
	],
	[
		"lists",
		{
			baseURL: "https://app.example.com",
			trustedOrigins: ["https://other.example", ""],
			account: { accountLinking: { trustedProviders: ["google", "github"] } },
		},
	],
	[
		"a text where a list belongs",
		// from an application without types
		{ baseURL: "https://app.example.com", ...JSON.parse('{ "trustedOrigins": "https://*.example.com" }') },
	],
	[
		"plugins that add to them",
		{
			baseURL: "https://app.example.com",
			plugins: [
				{ id: "a", init: () => ({ options: { trustedOrigins: ["https://added.example"] } }) },
				{
					id: "b",
					init: () => ({ options: { trustedOrigins: () => ["https://called.example"] }, context: { added: {} } }),
				},
			],
		},
	],
	[
		"a plugin that adds a getter to the context",
		{
			baseURL: "https://app.example.com",
			plugins: [
				{
					id: "getter",
					init: (context) => {
						Object.defineProperty(context, "drawn", { get: () => "value", enumerable: true, configurable: true });
					},
				},
			],
		},
	],
	...(
		[
			["a getter under a symbol", Symbol.for("drawn"), { get: () => "value", enumerable: true }],
			["a setter", "sink", { set: () => undefined, enumerable: true }],
			["a value that cannot be written", "fixed", { value: 1, enumerable: true, configurable: true }],
		] satisfies [string, PropertyKey, PropertyDescriptor][]
	).map(([what, key, property]): [string, BetterAuthOptions] => [
		`a plugin that adds ${what} to the context`,
		{
			baseURL: "https://app.example.com",
			plugins: [{ id: "adding", init: (context) => void Object.defineProperty(context, key, property) }],
		},
	]),
];

describe("the context of a request", () => {
	// threat 94
	it.each(OPTIONS)("is the one that Better Auth creates, with %s", async (_name, options) => {
		const contexts = createPair(options);
		const header = fc.option(fc.constantFrom(...HOSTS), { nil: undefined });
		const sent = fc.record({
			url: fc.constantFrom(
				"https://app.example.com",
				"http://acme.app.example.com",
				"https://evil.example",
				"http://localhost:3000",
			),
			path: fc.constantFrom("/api/auth/ok", "/auth/ok", "/x/ok", "/ok"),
			host: header,
			forwardedHost: header,
			proto: fc.option(fc.constantFrom("http", "https", "ftp"), { nil: undefined }),
		});
		await fc.assert(
			fc.asyncProperty(sent, async ({ url, path, host, forwardedHost, proto }) => {
				const headers = new Headers();
				if (host !== undefined) headers.set("host", host);
				if (forwardedHost !== undefined) headers.set("x-forwarded-host", forwardedHost);
				if (proto !== undefined) headers.set("x-forwarded-proto", proto);
				const [engines, ours] = await contexts(() => new Request(`${url}${path}`, { headers }));
				expect(ours).toEqual(engines);
			}),
			{ numRuns: 60 },
		);
	});

	it("trusts the origins of the environment, at the time of the request", async () => {
		const contexts = createPair({ baseURL: "https://app.example.com" });
		for (const value of ["https://first.example,https://second.example", "https://third.example"]) {
			vi.stubEnv("BETTER_AUTH_TRUSTED_ORIGINS", value);
			const [engines, ours] = await contexts(() => new Request("https://app.example.com/api/auth/ok"));
			expect(ours).toEqual(engines);
			expect(ours).toMatchObject({ trustedOrigins: expect.arrayContaining(value.split(",")) });
		}
	});
});
