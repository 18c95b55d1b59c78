import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { oauthProvider } from "@better-auth/oauth-provider";
import { betterAuth } from "better-auth";
import { toNodeHandler } from "better-auth/node";
import { jwt } from "better-auth/plugins";
import { composedWorld } from "test-kit/composed-world";
import { createWorld, MANAGEMENT_KEY, ORIGIN, PASSWORD, type World } from "test-kit/world";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTenantHandler, limitConcurrency } from "../../src/index.ts";

const MOST = 16_384;
const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };

/** A sign-in whose body has exactly this length. */
const padded = (bytes: number): string => {
	const body = { email: "ada@example.com", password: PASSWORD, more: "" };
	return JSON.stringify({ ...body, more: "x".repeat(bytes - JSON.stringify(body).length) });
};

/** A body that is sent in pieces, how many of them were read, and when the reader gave up. */
const inPieces = (text: string, size: number) => {
	const pieces = { sent: 0 };
	let resolve = (): void => {};
	const ended = new Promise<void>((end) => {
		resolve = end;
	});
	const bytes = new TextEncoder().encode(text);
	const body = new ReadableStream<Uint8Array>(
		{
			pull: (controller) => {
				const from = pieces.sent * size;
				if (from >= bytes.length) {
					resolve();
					return controller.close();
				}
				pieces.sent += 1;
				controller.enqueue(bytes.subarray(from, from + size));
			},
			cancel: () => resolve(),
		},
		{ highWaterMark: 0 },
	);
	return { body, pieces, ended };
};

type Handler = (request: Request) => Promise<Response>;
const handlersOf = ({ options, auth }: World): [string, Handler][] => {
	const engine = betterAuth(options);
	return [
		["the engine's handler", engine.handler],
		["createTenantHandler", createTenantHandler(auth)],
		["limitConcurrency", limitConcurrency(auth as never)],
	];
};

const post = (path: string, tenant: string | undefined, init: RequestInit & { duplex?: "half" }): Request =>
	new Request(`${ORIGIN}/api/auth${path}`, {
		method: "POST",
		...init,
		headers: {
			origin: ORIGIN,
			...(tenant ? { "x-tenant-id": tenant } : {}),
			...JSON_TYPE,
			...Object.fromEntries(new Headers(init.headers)),
		},
	});

const codeOf = async (response: Response): Promise<[number, unknown]> => {
	const json: unknown = await response.json().catch(() => null);
	return [response.status, typeof json === "object" && json && "code" in json ? json.code : null];
};

describe("a body above its bound", () => {
	// threat 156
	it("is refused by every handler, in tenants and on the platform, before any query", async () => {
		const world = await createWorld();
		const tenants = [await world.newTenant(), await world.newTenant(), undefined];
		for (const tenant of tenants) await world.signUp(tenant, "ada@example.com");
		for (const [name, handler] of handlersOf(world))
			for (const tenant of tenants) {
				const send = (body: string) => handler(post("/sign-in/email", tenant, { body }));
				expect([name, (await send(padded(MOST))).status]).toEqual([name, 200]);
				world.database.statements.length = 0;
				const refused = await send(padded(MOST + 1));
				expect(refused.headers.get("cache-control")).toBe("no-store");
				expect([name, ...(await codeOf(refused))]).toEqual([name, 413, "BODY_TOO_LARGE"]);
				expect(world.database.statements).toEqual([]);
			}
	});

	// threat 156
	it("is read no further than its bound if it has no length, or a wrong one", async () => {
		const world = await createWorld();
		const tenants = [await world.newTenant(), await world.newTenant()];
		for (const tenant of tenants) await world.signUp(tenant, "ada@example.com");
		for (const [name, handler] of handlersOf(world))
			for (const tenant of tenants)
				for (const headers of [[], [["content-length", "5000"]]] as [string, string][][]) {
					const { body, pieces, ended } = inPieces(padded(3_000_000), 10_000);
					const refused = await handler(post("/sign-in/email", tenant, { body, headers, duplex: "half" }));
					expect([name, ...(await codeOf(refused))]).toEqual([name, 413, "BODY_TOO_LARGE"]);
					// a megabyte more is read and forgotten
					await ended;
					expect(pieces.sent).toBeLessThan(110);
					const small = inPieces(padded(MOST), 7);
					const accepted = await handler(post("/sign-in/email", tenant, { body: small.body, headers, duplex: "half" }));
					expect([name, accepted.status]).toEqual([name, 200]);
				}
	});

	// threat 156
	it("is refused before any of it is sent if its length says so", async () => {
		const world = await createWorld();
		for (const tenant of [await world.newTenant(), await world.newTenant()])
			for (const [name, handler] of handlersOf(world)) {
				// whoever reads it before the response fails
				const pull = (controller: ReadableStreamDefaultController) => controller.error(new Error("was read"));
				const body = new ReadableStream({ pull }, { highWaterMark: 0 });
				const headers = { "content-length": String(MOST + 1) };
				const refused = await handler(post("/sign-in/email", tenant, { body, headers, duplex: "half" }));
				expect([name, refused.status]).toEqual([name, 413]);
			}
	});

	it("gets its response from a server of Node, which then serves the connection's next request", async () => {
		const world = await createWorld();
		const tenant = await world.newTenant();
		await world.signUp(tenant, "ada@example.com");
		const server = createServer(toNodeHandler(createTenantHandler(world.auth)));
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		onTestFinished(() => void server.close());
		const { port } = server.address() as AddressInfo;
		const head = `POST /api/auth/sign-in/email HTTP/1.1\r\nhost: localhost:3000\r\norigin: ${ORIGIN}\r\nx-tenant-id: ${tenant}\r\ncontent-type: application/json\r\n`;
		const [long, short] = [padded(900_000), padded(500)];
		const requests = [
			`${head}content-length: ${long.length}\r\n\r\n${long}`,
			`${head}transfer-encoding: chunked\r\n\r\n${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`,
			`${head}content-length: ${short.length}\r\nconnection: close\r\n\r\n${short}`,
		];
		const answered = await new Promise<string>((resolve, reject) => {
			const socket = connect(port, "127.0.0.1", () => void socket.write(requests.join("")));
			let text = "";
			socket.on("data", (data) => {
				text += String(data);
			});
			socket.on("end", () => resolve(text));
			socket.on("error", reject);
		});
		expect(answered.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 413", "HTTP/1.1 200"]);
	});

	it("is larger where endpoints need it, and as limits.bodies says", async () => {
		const limits = { bodies: { "/sign-in/*": 100, "/update-user": 40_000 }, fields: { user: { image: 30_000 } } };
		const world = await createWorld({ tenantAuth: { management: { keys: [MANAGEMENT_KEY], transfer: true }, limits } });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const tenant of [a, b]) {
			const browser = await world.signUp(tenant, "ada@example.com");
			expect((await world.call("/sign-in/email", { tenant, body: padded(101) })).status).toBe(413);
			expect((await world.call("/update-user", { browser, body: { image: "x".repeat(30_000) } })).status).toBe(200);
			const users = Array.from({ length: 500 }, (_, at) => ({ email: `u${at}@example.com`, name: "x".repeat(255) }));
			const imported = await world.call("/tenant/import-users", { operator: true, body: { tenantId: tenant, users } });
			expect(imported.json).toMatchObject({ imported: 500, refused: [] });
		}
		await expect(createWorld({ tenantAuth: { limits: { bodies: { "/x": -1 } } } })).rejects.toThrow(
			/limits\.bodies\["\/x"\] must be a whole number/,
		);
	});
});

// threat 156
describe("a body that is small and takes long to parse", () => {
	it.each([
		["nested arrays", `{"email":${"[".repeat(8_000)}${"]".repeat(8_000)}}`, JSON_TYPE],
		["nested objects", `${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`, JSON_TYPE],
		["an unfinished array", "[".repeat(16_000), { "content-type": "application/vnd.api+json" }],
		["a form of many fields", "a&".repeat(8_000), FORM_TYPE],
		["a form of many fields in one", `oauth_query=${"a%26".repeat(4_000)}`, FORM_TYPE],
	])("is refused: %s", async (_, body, headers) => {
		const world = await createWorld();
		for (const tenant of [await world.newTenant(), await world.newTenant()])
			for (const path of ["/sign-in/email", "/tenant/sign-in/email", "/unknown"])
				for (const [name, handler] of handlersOf(world)) {
					const answer = await codeOf(await handler(post(path, tenant, { body, headers })));
					expect([name, path, ...answer]).toEqual([name, path, 400, "BODY_TOO_COMPLEX"]);
				}
	});

	it("is refused where it is large: an import with many members", async () => {
		const world = await createWorld();
		const body = `{"users":[${"[],".repeat(300_000)}1]}`;
		const answer = await world.call("/tenant/import-users", { operator: true, body });
		expect([answer.status, answer.code]).toEqual([400, "BODY_TOO_COMPLEX"]);
	});

	it("is refused where a text is a query: oauth_query", async () => {
		const world = await composedWorld([jwt(), oauthProvider({ loginPage: "/login", consentPage: "/consent" })]);
		for (const tenant of [world.a, world.b]) {
			const send = (parameters: number) => {
				const oauth_query = Array.from({ length: parameters }, (_, at) => at.toString(36)).join("&");
				return world.call("/oauth2/public-client-prelogin", { tenant, body: { client_id: "x", oauth_query } });
			};
			expect((await send(1_100)).code).toBe("BODY_TOO_COMPLEX");
			// the OAuth provider parses it, and refuses its signature
			expect((await send(900)).json).toMatchObject({ error: "invalid_signature" });
			expect((await send(150_000)).code).toBe("BODY_TOO_LARGE");
		}
	});
});

// threat 156
it.each([
	["16,385 characters", `a=${"x".repeat(16_384)}`],
	["1,001 parameters", "a&".repeat(1_001)],
	["1,001 parameters in one", `a=${"a%26".repeat(1_001)}`],
])("refuses a URL of %s", async (_, query) => {
	const world = await createWorld();
	for (const tenant of [await world.newTenant(), await world.newTenant()])
		for (const [name, handler] of handlersOf(world)) {
			const url = (text: string) => `${ORIGIN}/api/auth/get-session?${text}`;
			const headers = { "x-tenant-id": tenant };
			expect([name, ...(await codeOf(await handler(new Request(url(query), { headers }))))]).toEqual([
				name,
				414,
				"URL_TOO_LONG",
			]);
			expect((await handler(new Request(url("a&".repeat(900)), { headers }))).status).toBe(200);
		}
});

it("returns 400 for a body that breaks off", async () => {
	const world = await createWorld();
	for (const tenant of [await world.newTenant(), await world.newTenant()])
		for (const [name, handler] of handlersOf(world)) {
			const body = new ReadableStream({ pull: (controller) => controller.error(new Error("hung up")) });
			const answer = await codeOf(await handler(post("/sign-in/email", tenant, { body, duplex: "half" })));
			expect([name, ...answer]).toEqual([name, 400, "BODY_UNREADABLE"]);
		}
});
