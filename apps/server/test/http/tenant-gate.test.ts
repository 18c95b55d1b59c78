import { afterEach, describe, expect, it } from "vitest";
import { startEcho } from "../support/echo.ts";

let world: Awaited<ReturnType<typeof startEcho>>;
afterEach(() => world.close());

/** An engine that answers when it is told to. */
const startSlow = async (environment: Record<string, string> = {}) => {
	const waiting: (() => void)[] = [];
	world = await startEcho({
		environment: { TENANT_REQUESTS_AT_ONCE: "2", ...environment },
		handler: () => new Promise((resolve) => waiting.push(() => resolve(Response.json({})))),
	});
	const until = async (count: number) => {
		while (waiting.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
	};
	return { waiting, until };
};

type Named = { headers?: Record<string, string>; body?: string; method?: string; path?: string };
const send = ({ path = "/api/auth/sign-in/email", ...init }: Named) =>
	fetch(`${world.url}${path}`, { method: "POST", ...init });

const json = { "content-type": "application/json" };
const tag = Buffer.from("acme").toString("base64url");

describe("requests of one tenant at the same time", () => {
	// threat 63
	it.each<[string, Named, Named]>([
		["the header", { headers: { "x-tenant-id": "acme" } }, { headers: { "x-tenant-id": "globex" } }],
		["the body", { headers: json, body: '{"tenantId":"acme"}' }, { headers: json, body: '{"tenantId":"globex"}' }],
		["the query", { path: "/api/auth/echo?tenantId=acme" }, { path: "/api/auth/echo?tenantId=globex" }],
		[
			"the session",
			{ headers: { cookie: `a=b; better-auth.session_token=abc~${tag}.signature` } },
			{ headers: { cookie: "better-auth.session_token=abc.signature" } },
		],
	])("are bounded where %s names it, and nobody else's are", async (_, loud, quiet) => {
		const { waiting, until } = await startSlow();
		const first = [send(loud), send(loud)];
		await until(2);
		const shed = await send(loud);
		expect([shed.status, shed.headers.get("retry-after")]).toEqual([503, "1"]);
		expect(await shed.json()).toMatchObject({ code: "TENANT_BUSY" });
		const other = send(quiet);
		await until(3);
		for (const answer of waiting.splice(0)) answer();
		expect((await other).status).toBe(200);
		for (const answer of first) expect((await answer).status).toBe(200);
		const again = send(loud);
		await until(1);
		waiting.splice(0)[0]?.();
		expect((await again).status).toBe(200);
	});

	it("are counted by the path and by the host where those name the tenant", async () => {
		const { waiting, until } = await startSlow({ TENANT_RESOLVER: "path" });
		const path = "/t/acme/api/auth/sign-in/email";
		const first = [send({ path }), send({ path })];
		await until(2);
		expect((await send({ path })).status).toBe(503);
		const other = send({ path: "/t/globex/api/auth/sign-in/email" });
		await until(3);
		for (const answer of waiting.splice(0)) answer();
		await Promise.all([...first, other]);
	});

	it("are given back when the engine fails", async () => {
		world = await startEcho({
			environment: { TENANT_REQUESTS_AT_ONCE: "1" },
			handler: async () => {
				throw new Error("broken");
			},
		});
		for (let number = 0; number < 3; number += 1)
			expect((await send({ headers: { "x-tenant-id": "acme" } })).status).toBe(500);
	});

	it("take nobody's share while their body is on the way", async () => {
		world = await startEcho({ environment: { TENANT_REQUESTS_AT_ONCE: "1" } });
		const headers = { ...json, "x-tenant-id": "acme" };
		const slow = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) });
		const hangs = new AbortController();
		const unfinished = fetch(`${world.url}/api/auth/echo`, {
			method: "POST",
			headers,
			body: slow,
			duplex: "half",
			signal: hangs.signal,
		} as RequestInit).catch(() => null);
		expect((await send({ headers, body: "{}" })).status).toBe(200);
		hangs.abort();
		await unfinished;
	});
});
