import type { ServerResponse } from "node:http";
import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import { type Behaviour, type HostileProvider, json, startHostileProvider } from "test-kit/hostile-provider";
import { createWorld, PASSWORD, type World } from "test-kit/world";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

let provider: HostileProvider;
beforeAll(async () => {
	provider = await startHostileProvider();
});
afterAll(() => provider.close());

const rejections: unknown[] = [];
const note = (reason: unknown) => rejections.push(reason);
process.on("unhandledRejection", note);
afterAll(() => {
	process.off("unhandledRejection", note);
	expect(rejections).toEqual([]);
});

/** Seconds that a sign-in may spend on its provider, where that is what is looked at, and where it is not. */
const TIMEOUT = 0.4;
const PATIENT = 60;
const good = { access_token: "access", token_type: "Bearer", refresh_token: "refresh", expires_in: 3600 };
const profile = { id: 1, state: "active", name: "Ada", email: "ada@example.com", email_verified: true };

/** Takes most of the deadline. */
const late =
	(behaviour: Behaviour): Behaviour =>
	(request, response) =>
		void setTimeout(() => behaviour(request, response), TIMEOUT * 750);

/** Ways to answer badly on the wire, whatever the endpoint. */
const wire: [string, Behaviour][] = [
	["never answers", () => {}],
	["resets the connection", (request) => void request.socket.destroy()],
	[
		"ends after the headers",
		(request, response) => {
			response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
			response.flushHeaders();
			request.socket.end();
		},
	],
	[
		"drips a byte at a time",
		(_request, response) => {
			response.writeHead(200, { "content-type": "application/json" });
			const timer = setInterval(() => response.write(" "), 50);
			response.on("close", () => clearInterval(timer));
		},
	],
	[
		"sends 10 MB",
		(_request, response) => {
			response.writeHead(200, { "content-type": "application/json" });
			response.end(`{"a":"${"x".repeat(10_000_000)}"}`);
		},
	],
	[
		"sends 10 MB of an otherwise good answer",
		(_request, response) => {
			response.writeHead(200, { "content-type": "application/json" });
			response.end(JSON.stringify({ ...good, ...profile, pad: "x".repeat(10_000_000) }));
		},
	],
	[
		"redirects inside",
		(_request, response) => {
			response.writeHead(302, { location: "http://127.0.0.1:1/latest/meta-data" });
			response.end();
		},
	],
	[
		"redirects to itself",
		(request, response) => {
			response.writeHead(307, { location: request.url ?? "/" });
			response.end();
		},
	],
	["sends garbage instead of HTTP", (request) => void request.socket.end("not http at all\r\n\r\n")],
	[
		"says the wrong content type",
		(_request, response) => {
			response.writeHead(200, { "content-type": "text/html" });
			response.end("<html>sign in</html>");
		},
	],
	[
		"sends bad gzip",
		(_request, response) => {
			response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
			response.end("not gzip");
		},
	],
	[
		"sends nothing",
		(_request, response) => {
			response.writeHead(204);
			response.end();
		},
	],
	...[
		300, 304, 400, 401, 403, 404, 405, 408, 409, 410, 413, 418, 422, 429, 451, 500, 501, 502, 503, 504, 505, 520, 599,
	].map((status): [string, Behaviour] => [`answers ${status}`, json({ error: "no" }, status)]),
	...[
		"",
		"{",
		"[",
		"null",
		"true",
		"0",
		'"text"',
		"[]",
		"{}",
		'{"a":1,}',
		"\u0000",
		"\ufeff{}",
		"NaN",
		"undefined",
		`${"[".repeat(5_000)}`,
		`{"__proto__":{"admin":true}}`,
		`{"constructor":{"prototype":{"admin":true}}}`,
	].map((text): [string, Behaviour] => [`answers ${JSON.stringify(text.slice(0, 30))}`, json(text)]),
];

const odd: unknown[] = [null, "", " ", 0, -1, 1.5, true, [], ["a"], {}, { a: 1 }, "x".repeat(100_000)];

/** Bad values in a good answer of the token endpoint. */
const badTokens = [
	...odd.map((value): [string, unknown] => [`access_token ${describeValue(value)}`, { ...good, access_token: value }]),
	["no access_token", { token_type: "Bearer" }] as [string, unknown],
].filter(([, body]) => !isUsable((body as { access_token?: unknown }).access_token));

/** Bad values in a good profile: nobody may be made of them. */
const badProfiles: [string, unknown][] = [
	...[
		null,
		"",
		" ",
		true,
		false,
		[],
		["a"],
		[1],
		{},
		{ a: 1 },
		{ toString: "1" },
		1.5,
		1e300,
		"x".repeat(300),
		"undefined",
		"null",
	].map((id): [string, unknown] => [`subject ${describeValue(id)}`, { ...profile, id }]),
	["no subject", { ...profile, id: undefined }],
	...[
		0,
		1,
		true,
		[],
		["ada@example.com"],
		{},
		{ address: "a@b.c" },
		"ada",
		"@",
		"a b@example.com",
		"ada@example.com\r\nbcc: eve@example.com",
		`${"x".repeat(400)}@example.com`,
		"ada@",
		"ada@example.com, eve@example.com",
		"<ada@example.com>",
		"javascript:alert(1)",
	].map((email): [string, unknown] => [`e-mail ${describeValue(email)}`, { ...profile, email }]),
	["no e-mail", { ...profile, email: undefined }],
	["e-mail null", { ...profile, email: null }],
	...["blocked", "", null, 0, [], {}].map((state): [string, unknown] => [
		`state ${describeValue(state)}`,
		{ ...profile, state },
	]),
	["a locked account", { ...profile, locked: true }],
	["a list of profiles", [profile]],
	["a profile inside another", { data: profile }],
];

function describeValue(value: unknown): string {
	return (JSON.stringify(value) ?? String(value)).slice(0, 40);
}
function isUsable(token: unknown): boolean {
	return typeof token === "string" && token !== "";
}

const cases: [string, { token?: Behaviour; user?: Behaviour }][] = [
	...wire.map(([name, behaviour]): [string, { token: Behaviour }] => [`token endpoint ${name}`, { token: behaviour }]),
	...wire.map(([name, behaviour]): [string, { user: Behaviour }] => [`profile endpoint ${name}`, { user: behaviour }]),
	...badTokens.map(([name, body]): [string, { token: Behaviour; user: Behaviour }] => [
		`token: ${name}`,
		{ token: json(body), user: json({ message: "401 Unauthorized" }, 401) },
	]),
	...badProfiles.map(([name, body]): [string, { user: Behaviour }] => [`profile: ${name}`, { user: json(body) }]),
	...wire
		.slice(0, 60)
		.map(([name, behaviour]): [string, { token: Behaviour; user: Behaviour }] => [
			`both endpoints: ${name}`,
			{ token: behaviour, user: behaviour },
		]),
	// one deadline for the whole sign-in
	["both endpoints: in time each, and late together", { token: late(json(good)), user: late(json(profile)) }],
];

const createTarget = async (providerId: "gitlab" | "microsoft" = "gitlab", providerTimeout = TIMEOUT) => {
	const world = await createWorld({ tenantAuth: { oauth: { allowPrivateHosts: true, providerTimeout } } });
	const [a, b] = [await world.newTenant(), await world.newTenant()];
	await world.signUp(b, "ada@example.com");
	const options =
		providerId === "gitlab"
			? { issuer: provider.origin }
			: { authority: provider.origin, tenantId: "7c0f9d3e-52a4-4b1b-9d7e-3f6a1c2b8e90", disableProfilePhoto: true };
	await world.call("/tenant/oauth-config/register", {
		operator: true,
		body: { tenantId: a, providerId, clientId: "client", clientSecret: canarySecret("hostile"), options },
	});
	return { world, a, b };
};

/** One sign-in, as far as the provider lets it come. */
const attempt = async (world: World, tenantId: string, providerId = "gitlab") => {
	const browser = new Browser();
	const started = await world.call("/tenant/sign-in/social", {
		browser,
		body: { tenantId, provider: providerId, callbackURL: "/home", errorCallbackURL: "/failed" },
	});
	const url = new URL(started.json.url);
	const callback = `${url.searchParams.get("redirect_uri")}?code=code&state=${encodeURIComponent(url.searchParams.get("state") ?? "")}`;
	return { answer: await world.call(callback, { browser }), browser };
};

afterEach(() => {
	provider.token = json(good);
	provider.user = json(profile);
});

describe("a hostile or broken provider", () => {
	// threat 28
	// threat 55
	it(`makes no user and no session and is cut off in time, in each of ${cases.length} ways`, {
		timeout: 180_000,
	}, async () => {
		expect(cases.length).toBeGreaterThanOrEqual(200);
		const { world, a, b } = await createTarget();
		for (const [name, { token = json(good), user = json(profile) }] of cases) {
			Object.assign(provider, { token, user });
			// what is not cut off never ends
			const { answer, browser } = await attempt(world, a);
			expect([name, answer.status, answer.location?.startsWith("/failed?error=")]).toEqual([name, 302, true]);
			expect([name, (await world.call("/get-session", { browser })).json]).toEqual([name, null]);
		}
		const left = await world.database.query(`select "tenantId" from "user"`);
		expect(left.map((row) => row.tenantId)).toEqual([b]);
		expect(await world.database.query(`select count(*) as n from "session" where "tenantId" = '${a}'`)).toEqual([
			{ n: 0 },
		]);
		expect(({} as { admin?: boolean }).admin).toBeUndefined();
	});

	it("that behaves is let in: the cases above fail for what they do", async () => {
		const { world, a } = await createTarget("gitlab", PATIENT);
		provider.token = json(good);
		provider.user = json(profile);
		expect((await attempt(world, a)).answer.location).toBe("/home");
	});

	// threat 63
	it("does not hold up the sign-ins of other tenants", async () => {
		const { world, a, b } = await createTarget("gitlab", PATIENT);
		const held: ServerResponse[] = [];
		let allHang = () => {};
		const hang = new Promise<void>((resolve) => {
			allHang = resolve;
		});
		provider.token = (_request, response) => {
			if (held.push(response) === 50) allHang();
		};
		let ended = 0;
		const hanging = Array.from({ length: 50 }, () => attempt(world, a).then(() => ended++));
		await hang;
		const body = { tenantId: b, email: "ada@example.com", password: PASSWORD };
		for (let n = 0; n < 5; n += 1) expect((await world.call("/tenant/sign-in/email", { body })).status).toBe(200);
		// all of them waited for their provider meanwhile
		expect(ended).toBe(0);
		for (const response of held) response.destroy();
		await Promise.all(hanging);
	});

	// threat 28
	it("gives a name, a picture and a verified e-mail only what they may be", async () => {
		const { world, a } = await createTarget("gitlab", PATIENT);
		provider.token = json(good);
		const seen = async (changes: Record<string, unknown>) => {
			provider.user = json({
				...profile,
				id: Math.floor(Math.random() * 1e9),
				email: `p${Math.random()}@example.com`,
				...changes,
			});
			const { browser } = await attempt(world, a);
			return (await world.call("/get-session", { browser })).json.user;
		};
		expect((await seen({ avatar_url: "javascript:alert(1)" })).image).toBeNull();
		expect((await seen({ avatar_url: "https://example.com/a.png" })).image).toBe("https://example.com/a.png");
		// a server that the tenant named vouches for nobody's e-mail
		for (const verified of [true, "true", 1, {}]) {
			expect((await seen({ email_verified: verified })).emailVerified).toBe(false);
		}
	});
});

describe("an ID token", () => {
	const TENANT = "7c0f9d3e-52a4-4b1b-9d7e-3f6a1c2b8e90";
	const claims = () => ({
		iss: `${provider.origin}/${TENANT}/v2.0`,
		aud: "client",
		sub: "s",
		oid: "o-1",
		tid: TENANT,
		name: "Ada",
		email: "ada@example.com",
		email_verified: true,
	});

	// threats 19 and 20
	it("that is for another client, from another issuer, too old, unsigned or signed by a stranger lets nobody in", async () => {
		const { world, a } = await createTarget("microsoft", PATIENT);
		const stranger = await startHostileProvider();
		const unsigned = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims()))}.`.replace(/=/g, "");
		const tokens: [string, string][] = [
			["another audience", await provider.sign({ ...claims(), aud: "client-of-b" })],
			["no audience", await provider.sign({ ...claims(), aud: undefined })],
			["another issuer", await provider.sign({ ...claims(), iss: "https://evil.example" })],
			["no issuer", await provider.sign({ ...claims(), iss: undefined })],
			["unknown key", await provider.sign(claims(), { kid: "key-2" })],
			["a stranger's signature", await stranger.sign(claims())],
			["no signature", unsigned],
			["garbage", "a.b.c"],
			["not a token", "text"],
		];
		for (const [name, idToken] of tokens) {
			provider.token = json({ ...good, id_token: idToken });
			const { answer } = await attempt(world, a, "microsoft");
			expect([name, answer.location?.startsWith("/failed?error=")]).toEqual([name, true]);
		}
		expect(await world.database.query(`select count(*) as n from "user" where "tenantId" = '${a}'`)).toEqual([
			{ n: 0 },
		]);
		provider.token = json({ ...good, id_token: await provider.sign(claims()) });
		expect((await attempt(world, a, "microsoft")).answer.location).toBe("/home");
		await stranger.close();
	});

	// threat 20
	it("that a client hands in is not taken from a server that the tenant named, however well it is signed", async () => {
		const { world, a } = await createTarget("microsoft");
		const idToken = { token: await provider.sign(claims()) };
		const answer = await world.call("/sign-in/social", { tenant: a, body: { provider: "microsoft", idToken } });
		expect([answer.status, answer.code]).toEqual([404, "ID_TOKEN_NOT_SUPPORTED"]);
	});
});
