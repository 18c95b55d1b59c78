import { type Behavior, json } from "test-kit/hostile-provider";
import { good, profile, TIMEOUT } from "./hostile-target.ts";

/** Takes most of the deadline. */
const late =
	(behavior: Behavior): Behavior =>
	(request, response) =>
		void setTimeout(() => behavior(request, response), TIMEOUT * 750);

/** Invalid responses on the wire, for any endpoint. */
const wire: [string, Behavior][] = [
	["never responds", () => {}],
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
		"sends 10 MB of an otherwise valid response",
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
		"returns the wrong content type",
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
	].map((status): [string, Behavior] => [`returns ${status}`, json({ error: "no" }, status)]),
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
	].map((text): [string, Behavior] => [`returns ${JSON.stringify(text.slice(0, 30))}`, json(text)]),
];

const odd: unknown[] = [null, "", " ", 0, -1, 1.5, true, [], ["a"], {}, { a: 1 }, "x".repeat(100_000)];

/** Invalid values in a valid response of the token endpoint. */
const badTokens = [
	...odd.map((value): [string, unknown] => [`access_token ${describeValue(value)}`, { ...good, access_token: value }]),
	["no access_token", { token_type: "Bearer" }] as [string, unknown],
].filter(([, body]) => !isUsable((body as { access_token?: unknown }).access_token));

/** Invalid values in a valid profile. None may create a user. */
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
	].map((email): [string, unknown] => [`email ${describeValue(email)}`, { ...profile, email }]),
	["no email", { ...profile, email: undefined }],
	["email null", { ...profile, email: null }],
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

/** Every way to misbehave, with the behavior of both endpoints. */
export const cases: [string, { token?: Behavior; user?: Behavior }][] = [
	...wire.map(([name, behavior]): [string, { token: Behavior }] => [`token endpoint ${name}`, { token: behavior }]),
	...wire.map(([name, behavior]): [string, { user: Behavior }] => [`profile endpoint ${name}`, { user: behavior }]),
	...badTokens.map(([name, body]): [string, { token: Behavior; user: Behavior }] => [
		`token: ${name}`,
		{ token: json(body), user: json({ message: "401 Unauthorized" }, 401) },
	]),
	...badProfiles.map(([name, body]): [string, { user: Behavior }] => [`profile: ${name}`, { user: json(body) }]),
	...wire
		.slice(0, 60)
		.map(([name, behavior]): [string, { token: Behavior; user: Behavior }] => [
			`both endpoints: ${name}`,
			{ token: behavior, user: behavior },
		]),
	// one deadline for the whole sign-in
	["both endpoints: in time each, and late together", { token: late(json(good)), user: late(json(profile)) }],
];
