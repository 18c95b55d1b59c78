import { request as httpRequest } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { AUTH_URL } from "../support/environment.ts";
import { lockUsers } from "../support/locked-users.ts";
import { openRaw } from "../support/raw-http.ts";
import { createWorld, type World } from "../support/world.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

type Answer = { status: number; retryAfter: string | undefined; code: string | undefined };
type Named = {
	method?: string;
	path?: string;
	host?: string;
	headers?: Record<string, string>;
	body?: Record<string, string> | string;
};

const ADA = { email: "ada@example.com", password: "correct horse battery" };
const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** A server with two tenants, whose sign-ins and session checks block until they are released. */
const startGate = async (environment: Record<string, string> = {}) => {
	const world: World = await createWorld({ environment: { TENANT_REQUESTS_AT_ONCE: "2", ...environment } });
	closers.push(world.close);
	const service = await world.start();
	const [acme, globex] = [await service.createTenant("acme"), await service.createTenant("globex")];
	const cookieOf = async (tenant: string): Promise<string> =>
		(await service.signUp(tenant, ADA.email)).headers
			.getSetCookie()
			.map((line) => line.split(";")[0])
			.join("; ");
	const cookies = { acme: await cookieOf(acme), globex: await cookieOf(globex) };
	const users = await lockUsers(world.database.url);
	closers.push(users.close);

	/** Uses Node's http client, which lets a test choose the host. */
	const send = ({ method = "POST", path = "/api/auth/sign-in/email", host, headers, body = ADA }: Named) =>
		new Promise<Answer>((resolve, reject) => {
			const text = typeof body === "string" ? body : JSON.stringify(body);
			const sent = httpRequest(
				`${service.url}${path}`,
				{
					method,
					agent: false,
					headers: {
						origin: AUTH_URL,
						"content-type": "application/json",
						...(host ? { host } : {}),
						...headers,
					},
				},
				async (answer) => {
					let text = "";
					for await (const chunk of answer) text += String(chunk);
					const { code } = (text.startsWith("{") ? JSON.parse(text) : {}) as { code?: string };
					resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers["retry-after"], code });
				},
			);
			sent.on("error", reject).end(method === "GET" ? undefined : text);
		});
	return {
		acme,
		globex,
		cookies,
		send,
		letGo: users.letGo,
		port: service.port,
		untilInside: (count: number) => expect.poll(users.waiting, { timeout: 30_000 }).toBe(count),
	};
};

type Gate = Awaited<ReturnType<typeof startGate>>;

const BUSY: Answer = { status: 503, retryAfter: "1", code: "TENANT_BUSY" };

describe("concurrent requests of one tenant", () => {
	it.each<[string, (gate: Gate, tenant: "acme" | "globex") => Named]>([
		["the header", (gate, tenant) => ({ headers: { "x-tenant-id": gate[tenant] } })],
		["the body", (gate, tenant) => ({ body: { ...ADA, tenantId: gate[tenant] } })],
		[
			"a form",
			(gate, tenant) => ({ headers: FORM, body: new URLSearchParams({ ...ADA, tenantId: gate[tenant] }).toString() }),
		],
		["the query", (gate, tenant) => ({ path: `/api/auth/sign-in/email?tenantId=${gate[tenant]}` })],
		[
			"the session",
			({ cookies }, tenant) => ({ method: "GET", path: "/api/auth/get-session", headers: { cookie: cookies[tenant] } }),
		],
	])("are limited if %s names the tenant, and other tenants are not", async (_, named) => {
		const gate = await startGate();
		const first = [gate.send(named(gate, "acme")), gate.send(named(gate, "acme"))];
		await gate.untilInside(2);
		expect(await gate.send(named(gate, "acme"))).toEqual(BUSY);
		const other = gate.send(named(gate, "globex"));
		await gate.untilInside(3);
		await gate.letGo();
		for (const answer of [...first, other]) expect((await answer).status).toBe(200);
		expect((await gate.send(named(gate, "acme"))).status).toBe(200);
	});

	it("count together whether the path, host, header or body names the tenant", async () => {
		const gate = await startGate({
			TENANT_REQUESTS_AT_ONCE: "4",
			TENANT_RESOLVER: "path,subdomain",
			TENANT_DOMAIN: "app.test",
			PLATFORM_HOSTS: "127.0.0.1",
		});
		const ways = (tenant: "acme" | "globex"): Named[] => [
			{ path: `/t/${tenant}/api/auth/sign-in/email` },
			{ host: `${tenant}.app.test`, headers: { origin: `http://${tenant}.app.test` } },
			{ headers: { "x-tenant-id": gate[tenant] } },
			{ body: { ...ADA, tenantId: gate[tenant] } },
		];
		const first = ways("acme").map(gate.send);
		await gate.untilInside(4);
		for (const way of ways("acme")) expect([way, await gate.send(way)]).toEqual([way, BUSY]);
		const other = gate.send({ path: "/t/globex/api/auth/sign-in/email" });
		await gate.untilInside(5);
		await gate.letGo();
		for (const answer of [...first, other]) expect((await answer).status).toBe(200);
	});

	it("release their slots when the database fails", async () => {
		const gate = await startGate({ TENANT_REQUESTS_AT_ONCE: "1", DATABASE_QUERY_TIMEOUT: "1" });
		for (const tenant of [gate.acme, gate.acme, gate.globex]) {
			const { status, code } = await gate.send({ headers: { "x-tenant-id": tenant } });
			expect([status, code]).toEqual([503, "STORE_UNAVAILABLE"]);
		}
	});

	it("use no slot while their body is being received", async () => {
		const gate = await startGate({ TENANT_REQUESTS_AT_ONCE: "1" });
		const slow = await openRaw(gate.port);
		closers.push(async () => slow.socket.destroy());
		slow.write(
			`POST /api/auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nx-tenant-id: ${gate.acme}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
		);
		const first = gate.send({ headers: { "x-tenant-id": gate.acme } });
		await gate.untilInside(1);
		await gate.letGo();
		expect((await first).status).toBe(200);
	});
});
