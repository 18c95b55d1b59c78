import type { BetterAuthPlugin, GenericEndpointContext } from "@better-auth/core";
import { describe, expect, it } from "vitest";
import { sha256Text } from "../../src/lib/sha256.ts";
import { apiKeyColumns, CREDENTIAL_COLUMNS } from "../../src/scope/request/credential-columns.ts";
import { createCredentialLookup } from "../../src/scope/request/credential-lookup.ts";

type Sent = { headers?: HeadersInit; body?: unknown; query?: unknown; path?: string; text?: string };

const requestOf = ({ headers, text, ...parts }: Sent): GenericEndpointContext =>
	({
		...parts,
		headers: headers && new Headers(headers),
		request: text === undefined ? undefined : new Request("http://localhost/", { method: "POST", body: text }),
	}) as GenericEndpointContext;

/** The columns that have values, as `model.field`. */
const columns = async (source: keyof typeof CREDENTIAL_COLUMNS, sent: Sent): Promise<Record<string, string[]>> => {
	const found = await CREDENTIAL_COLUMNS[source](requestOf(sent));
	const used = found.filter(({ values }) => values.length > 0);
	return Object.fromEntries(used.map(({ model, field, values }) => [`${model}.${field}`, values]));
};

const jwtWith = (claims: unknown): string => `header.${btoa(JSON.stringify(claims)).replaceAll("=", "")}.signature`;

describe("the credential of a SCIM request", () => {
	const column = "scimManagedCredential.credentialId";

	it("is the id in the bearer token", async () => {
		for (const authorization of ["Bearer id.secret", "bearer   id.secret", "  BEARER id.secret  ", "Bearer id"])
			expect(await columns("scim", { headers: { authorization } })).toEqual({ [column]: ["id"] });
	});

	it("is missing in any other header", async () => {
		for (const authorization of [
			"",
			"Bearer",
			"Basic id.secret",
			"Bearer id.secret more",
			"x Bearer id",
			"Bearer .secret",
		])
			expect(await columns("scim", { headers: { authorization } })).toEqual({});
		expect(await columns("scim", {})).toEqual({});
	});
});

describe("the credential of a one-time token", () => {
	it("is its name, plain or hashed as the application configures it", async () => {
		const name = "one-time-token:secret";
		const hashed = `one-time-token:${await sha256Text("secret")}`;
		expect(await columns("one-time-token", { body: { token: "secret" } })).toEqual({
			"verification.identifier": [name, hashed, await sha256Text(name)],
		});
		for (const body of [{ token: "" }, { token: 17 }, { token: "x".repeat(8_193) }, {}, undefined])
			expect(await columns("one-time-token", { body })).toEqual({});
		expect(
			(await columns("one-time-token", { body: { token: "x".repeat(8_192) } }))["verification.identifier"],
		).toHaveLength(3);
	});
});

describe("the credential of a device", () => {
	it("is one of its codes, as users type them", async () => {
		expect(await columns("device", { body: { device_code: "device" }, query: { user_code: "ab-c d" } })).toEqual({
			"deviceCode.deviceCode": ["device"],
			"deviceCode.userCode": ["ab-c d", "ABCD"],
		});
		expect(await columns("device", { query: { user_code: "ABCD" } })).toEqual({ "deviceCode.userCode": ["ABCD"] });
		expect(await columns("device", {})).toEqual({});
	});
});

describe("the credential of an OAuth client", () => {
	const clients = async (sent: Sent) => (await columns("oauth-provider", sent))["oauthClient.clientId"] ?? [];

	it("is its id, in the body, the query or the header", async () => {
		expect(await clients({ body: { client_id: "a" }, query: { client_id: "b" } })).toEqual(["a", "b"]);
		const basic = (value: string) => ({ headers: { authorization: `Basic ${btoa(value)}` } });
		expect(await clients(basic("client:secret"))).toEqual(["client"]);
		expect(await clients({ headers: { authorization: `basic  ${btoa("client:secret")}` } })).toEqual(["client"]);
		expect(await clients(basic("a%20b%2Bc:secret"))).toEqual(["a b+c"]);
		expect(await clients(basic("a+b"))).toEqual(["a b"]);
		for (const authorization of ["Basic", "Basic !!!", "x Basic YTpi", "Basic YTpi more", "Bearer YTpi"])
			expect([authorization, await clients({ headers: { authorization } })]).toEqual([authorization, []]);
	});

	it("is the client that a token claims", async () => {
		const token = jwtWith({ azp: "azp", client_id: "client", aud: "aud" });
		expect(await clients({ body: { token } })).toEqual(["azp", "client", "aud"]);
		expect(await clients({ query: { id_token_hint: token } })).toEqual(["azp", "client", "aud"]);
		expect(await clients({ body: { id_token_hint: token } })).toEqual(["azp", "client", "aud"]);
		expect(await clients({ headers: { authorization: `Bearer ${token}` } })).toEqual(["azp", "client", "aud"]);
		// base64url: the characters that base64 does not have
		expect(
			await clients({ body: { token: jwtWith({ azp: "ÿÿ>>??" }).replace(/\+/g, "-").replace(/\//g, "_") } }),
		).toEqual(["ÿÿ>>??"]);
		for (const odd of ["", "no", "a.!.b", `a.${btoa("null")}.b`, `a.${btoa("17")}.b`, jwtWith({ aud: ["aud"] })])
			expect([odd, await clients({ body: { token: odd } })]).toEqual([odd, []]);
	});

	it("is an access token by its hash", async () => {
		expect(await columns("oauth-provider", { body: { token: "opaque" } })).toEqual({
			"oauthAccessToken.token": [await sha256Text("opaque")],
		});
	});
});

describe("the credential of a webhook of Stripe", () => {
	it("is what its event names", async () => {
		const event = {
			data: { object: { id: "sub", subscription: "in", customer: "cus", metadata: { subscriptionId: "own" } } },
		};
		expect(await columns("stripe", { text: JSON.stringify(event) })).toEqual({
			"subscription.id": ["own"],
			"subscription.stripeSubscriptionId": ["sub", "in"],
			"user.stripeCustomerId": ["cus"],
			"organization.stripeCustomerId": ["cus"],
		});
		for (const text of ["", "not JSON", "null", "17", "{}", `{"data":{}}`])
			expect(await columns("stripe", { text })).toEqual({});
		expect(await columns("stripe", {})).toEqual({});
	});

	it("leaves the body for the endpoint", async () => {
		const ctx = requestOf({ text: "{}" });
		await CREDENTIAL_COLUMNS.stripe(ctx);
		expect(await ctx.request?.text()).toBe("{}");
	});
});

describe("the credential of an API key", () => {
	const plugin = (matchers: ((ctx: { headers: Headers }) => boolean)[]): BetterAuthPlugin =>
		({ id: "api-key", hooks: { before: matchers.map((matcher) => ({ matcher })) } }) as never;
	const reads = (name: string) => (ctx: { headers: Headers }) => ctx.headers.get(name) !== null;
	const throws = () => {
		throw new Error("a getter that needs a request");
	};
	const keysOf = async (plugins: BetterAuthPlugin[], sent: Sent) =>
		(await apiKeyColumns(plugins)(requestOf(sent))).flatMap(({ values }) => values);

	it("is in the headers that the plugin reads", async () => {
		const plugins = [plugin([throws, reads("x-api-key"), reads("x-other")])];
		const headers = { "x-api-key": "one", "x-other": "two", "x-third": "three" };
		const hashed = [await sha256Text("one"), await sha256Text("two")];
		expect(await apiKeyColumns(plugins)(requestOf({ headers, path: "/get-session" }))).toEqual([
			{ model: "apikey", field: "key", values: ["one", "two", ...hashed] },
		]);
		expect(await keysOf([{ ...plugin([reads("x-api-key")]), id: "other" }], { headers })).toEqual([]);
		expect(await keysOf([{ id: "api-key" }], { headers })).toEqual([]);
		expect(await keysOf(plugins, {})).toEqual([]);
	});

	// threat 19
	it("is in the body for server code only, whose endpoint has no path", async () => {
		const body = { key: "one" };
		for (const path of [undefined, "", "/", "virtual:/verify"])
			expect(await keysOf([plugin([])], { body, path: path as string })).toEqual(["one", await sha256Text("one")]);
		for (const path of ["/api-key/verify", "/x"]) expect(await keysOf([plugin([])], { body, path })).toEqual([]);
	});
});

describe("the tenant of a credential", () => {
	const lookUp = async (path: string, sent: Sent, rows: { tenantId: string }[], tables = ["deviceCode"]) => {
		const asked: unknown[] = [];
		const findMany = async (query: object) => {
			asked.push(query);
			return rows;
		};
		const context = { tables: Object.fromEntries(tables.map((table) => [table, {}])), options: {} };
		const find = createCredentialLookup(context as never, { findMany: findMany as never });
		return { found: await find(requestOf({ ...sent, path })), asked };
	};
	const DEVICE = "/device/token";
	const body = { device_code: "device" };

	it("is that of the rows with its value, if all of them are one tenant's", async () => {
		const { found, asked } = await lookUp(DEVICE, { body }, [{ tenantId: "acme" }, { tenantId: "acme" }]);
		expect(found).toBe("acme");
		const where = [{ field: "deviceCode", operator: "in", value: ["device"] }];
		expect(asked).toEqual([{ model: "deviceCode", where, select: ["tenantId"], limit: 2 }]);
		expect((await lookUp(DEVICE, { body }, [{ tenantId: "acme" }, { tenantId: "globex" }])).found).toBeNull();
		expect((await lookUp(DEVICE, { body }, [])).found).toBeNull();
	});

	it("is not looked up without a value, without its table, or on other endpoints", async () => {
		const rows = [{ tenantId: "acme" }];
		expect(await lookUp(DEVICE, { body: {} }, rows)).toEqual({ found: null, asked: [] });
		expect(await lookUp(DEVICE, { body }, rows, [])).toEqual({ found: null, asked: [] });
		expect(await lookUp("/sign-in/email", { body }, rows)).toEqual({ found: null, asked: [] });
	});
});
