import { type BetterAuthPlugin, betterAuth } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { createWorld, ORIGIN, type World } from "test-kit/world";
import { describe, expect, it, vi } from "vitest";
import { createTenantHandler } from "../../src/index.ts";
import { createCountingPlugin } from "./support/counting-plugin.ts";

type Init = { body?: unknown; headers?: Record<string, string> };

const request = (path: string, { body, headers }: Init = {}): Request =>
	new Request(`${ORIGIN}/api/auth${path}`, {
		method: body === undefined ? "GET" : "POST",
		headers: { origin: ORIGIN, "content-type": "application/json", ...headers },
		body: body === undefined ? null : JSON.stringify(body),
	});

/** The engine's own handler, whatever handler the suite runs with. */
const engineHandler = (world: World) => betterAuth(world.options).handler;

const shapeOf = async (response: Response) => {
	const text = await response.text();
	const json = text.startsWith("{") ? JSON.parse(text) : text;
	return {
		status: response.status,
		headers: [...response.headers.keys()].sort(),
		body: typeof json === "string" ? json : (json?.code ?? Object.keys(json).sort()),
	};
};

describe("createTenantHandler", () => {
	it("responds as auth.handler does", async () => {
		const world = await createWorld({ engine: { disabledPaths: ["/change-email"] } });
		const tenant = await world.newTenant();
		const cookie = (await world.signUp(tenant, "ada@example.com")).header();
		const signIn = { email: "ada@example.com", password: "correct horse battery" };
		const toTenant = { "x-tenant-id": tenant };
		const sent: [path: string, init?: Init][] = [
			["/ok"],
			["/get-session", { headers: { cookie } }],
			["/get-session"],
			["/get-session/"],
			["//get-session"],
			["/nowhere"],
			["/sign-in/email"],
			["/sign-in/email", { body: signIn, headers: toTenant }],
			["/sign-in/email", { body: signIn, headers: { "x-tenant-id": "missing" } }],
			["/sign-in/email", { body: { ...signIn, password: "wrong" }, headers: toTenant }],
			["/sign-in/email", { body: { email: 1 }, headers: toTenant }],
			["/sign-in/email", { body: signIn, headers: { ...toTenant, "content-type": "text/plain" } }],
			["/tenant/sign-in/email", { body: { ...signIn, tenantId: tenant } }],
			["/tenant/sign-in/email", { body: { ...signIn, tenantId: tenant }, headers: { origin: "https://evil.example" } }],
			["/sign-out", { body: {}, headers: { cookie, origin: "https://evil.example" } }],
			["/change-email", { body: { newEmail: "b@example.com" }, headers: { cookie } }],
			["/tenant/create", { body: { name: "x", slug: "x" } }],
			["/list-sessions", { headers: { cookie } }],
			["/list-sessions", { headers: { cookie, "x-tenant-id": "other" } }],
		];
		const [engine, kept] = [engineHandler(world), createTenantHandler(world.auth)];
		for (const [path, init] of sent)
			expect([path, await shapeOf(await kept(request(path, init)))]).toEqual([
				path,
				await shapeOf(await engine(request(path, init))),
			]);
	});

	// threat 94
	it("gives each of many requests at once a context of its own, from onRequest to onResponse", async () => {
		const contexts = new Map<object, string>();
		const seen: unknown[][] = [];
		const marking: BetterAuthPlugin = {
			id: "marking",
			onRequest: async (incoming, context) => {
				const mark = new URL(incoming.url).searchParams.get("mark") ?? "";
				seen.push(["new", contexts.has(context), "mark" in context]);
				contexts.set(context, mark);
				Object.assign(context, { mark });
				await new Promise((resolve) => setTimeout(resolve, 5));
				return undefined;
			},
			onResponse: async (response, context) => {
				const headers = new Headers(response.headers);
				headers.set("mark", `${contexts.get(context)} ${Reflect.get(context, "mark")}`);
				return { response: new Response(response.body, { status: response.status, headers }) };
			},
			endpoints: {
				readMark: createAuthEndpoint("/read-mark", { method: "GET" }, async (ctx) => ({
					mark: Reflect.get(ctx.context, "mark"),
				})),
			},
		};
		const world = await createWorld({ plugins: [marking] });
		const kept = createTenantHandler(world.auth);
		const marks = Array.from({ length: 30 }, (_, n) => `${n}`);
		const answers = await Promise.all(
			marks.map(async (mark) => {
				const response = await kept(request(`/read-mark?mark=${mark}`));
				return [((await response.json()) as { mark: string }).mark, response.headers.get("mark")];
			}),
		);
		expect(answers).toEqual(marks.map((mark) => [mark, `${mark} ${mark}`]));
		expect(seen).toEqual(marks.map(() => ["new", false, false]));
	});

	// threat 94
	it("keeps the tenants of concurrent requests apart", async () => {
		const world = await createWorld();
		const kept = createTenantHandler(world.auth);
		const users = await Promise.all(
			Array.from({ length: 5 }, async () => {
				const tenant = await world.newTenant();
				return { tenant, cookie: (await world.signUp(tenant, "ada@example.com")).header() };
			}),
		);
		const found = await Promise.all(
			Array.from({ length: 100 }, async (_, n) => {
				const response = await kept(request("/get-session", { headers: { cookie: users[n % 5]?.cookie ?? "" } }));
				return ((await response.json()) as { session: { tenantId: string } }).session.tenantId;
			}),
		);
		expect(found).toEqual(found.map((_, n) => users[n % 5]?.tenant));
	});

	it("serves endpoints that a plugin adds later, and none that it removes", async () => {
		const endpoint = (path: string) => createAuthEndpoint(path, { method: "GET" }, async () => ({ path }));
		const changing: BetterAuthPlugin = { id: "changing", endpoints: { first: endpoint("/first") } };
		const world = await createWorld({ plugins: [changing] });
		const kept = createTenantHandler(world.auth);
		const statuses = async () => [(await kept(request("/first"))).status, (await kept(request("/second"))).status];
		expect(await statuses()).toEqual([200, 404]);
		changing.endpoints = { second: endpoint("/second") };
		expect(await statuses()).toEqual([404, 200]);
	});

	it("builds the router once", async () => {
		const { counted, plugin } = createCountingPlugin();
		const world = await createWorld({ plugins: [plugin] });
		const kept = createTenantHandler(world.auth);
		await kept(request("/ok"));
		const before = counted.builds;
		for (let n = 0; n < 10; n += 1) await kept(request("/ok"));
		expect(counted.builds).toBe(before);
	});

	// threat 94
	it("leaves an engine that it was not tested with to its own handler, and says so once", async () => {
		const world = await createWorld();
		const own = vi.fn(async () => new Response("the engine's own"));
		const context = { ...(await world.auth.$context), version: "1.7.999" };
		const kept = createTenantHandler({ ...world.auth, handler: own, $context: Promise.resolve(context) });
		for (const path of ["/ok", "/get-session"])
			expect(await (await kept(request(path))).text()).toBe("the engine's own");
		expect(world.logs.filter((line) => line.includes("createTenantHandler: better-auth 1.7.999"))).toHaveLength(1);
	});
});
