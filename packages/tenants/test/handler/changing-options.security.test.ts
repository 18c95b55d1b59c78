import { AsyncLocalStorage } from "node:async_hooks";
import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { createAuthEndpoint, createAuthMiddleware } from "better-auth/api";
import { ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { createServedPair, request } from "./support/served-pair.ts";

const endpoint = (path: string) => createAuthEndpoint(path, { method: "GET" }, async () => ({ path }));

describe("options that change after the router is built", () => {
	// threat 94
	it("read a getter for each request, so one tenant's value never serves another", async () => {
		const { world, auth, handlers } = await createServedPair();
		const [acme, other] = [await world.newTenant(), await world.newTenant()];
		const running = new AsyncLocalStorage<string>();
		const { options } = await auth.$context;
		const closed = new Map([[acme, ["/ok"]]]);
		Object.defineProperty(options, "disabledPaths", { get: () => closed.get(running.getStore() ?? "") ?? [] });
		for (const handle of handlers) {
			const found = await Promise.all(
				[acme, other, acme, other].map((tenant) => running.run(tenant, () => handle(request("/ok")))),
			);
			expect(found.map(({ status }) => status)).toEqual([404, 200, 404, 200]);
		}
	});

	// threat 94
	it("close a path, and add a plugin that rejects requests", async () => {
		const { auth, statuses } = await createServedPair();
		expect(await statuses("/ok")).toEqual([200, 200]);
		const { options } = await auth.$context;
		options.disabledPaths = ["/ok"];
		expect(await statuses("/ok")).toEqual([404, 404]);
		expect(await statuses("/get-session")).toEqual([200, 200]);
		options.plugins?.push({ id: "wall", onRequest: async () => ({ response: new Response(null, { status: 403 }) }) });
		expect(await statuses("/get-session")).toEqual([403, 403]);
	});

	// threat 94
	it("serve no endpoint that a plugin removed from its list", async () => {
		const endpoints: Record<string, ReturnType<typeof endpoint>> = { first: endpoint("/first") };
		const { statuses } = await createServedPair({ plugins: [{ id: "changing", endpoints }] });
		expect(await statuses("/first")).toEqual([200, 200]);
		delete endpoints.first;
		endpoints.second = endpoint("/second");
		expect(await statuses("/first")).toEqual([404, 404]);
		expect(await statuses("/second")).toEqual([200, 200]);
	});

	it("run the middleware that a plugin adds to its list", async () => {
		const middlewares: NonNullable<BetterAuthPlugin["middlewares"]> = [];
		const { statuses } = await createServedPair({ plugins: [{ id: "changing", middlewares }] });
		expect(await statuses("/ok")).toEqual([200, 200]);
		middlewares.push({
			path: "/ok",
			middleware: createAuthMiddleware(async () => new Response(null, { status: 403 })),
		});
		expect(await statuses("/ok")).toEqual([403, 403]);
	});
});

describe("what a plugin receives", () => {
	// threat 94
	it("is the request's own context in an onRequest that is set later", async () => {
		const kept: AuthContext[] = [];
		const late: BetterAuthPlugin = { id: "late" };
		const { statuses } = await createServedPair({ plugins: [late] });
		await statuses("/ok");
		late.onRequest = async (_request, context) => void kept.push(context);
		await statuses("/ok");
		// read after the request, when an object that forwards would throw
		expect(kept.map(({ baseURL }) => baseURL)).toEqual([`${ORIGIN}/api/auth`, `${ORIGIN}/api/auth`]);
	});

	it("are the options and plugins of the instance in a middleware, and what onRequest wrote to the context", async () => {
		const seen: unknown[] = [];
		const looking: BetterAuthPlugin = {
			id: "looking",
			options: { name: "own" },
			onRequest: async (_request, context) => void Object.assign(context, { mark: "written" }),
			middlewares: [
				{
					path: "/**",
					middleware: createAuthMiddleware(async ({ context }) => {
						const own = context.options.plugins?.find(({ id }) => id === "looking");
						seen.push([
							own === looking,
							Object.keys(own ?? {}),
							Object.keys(context).sort(),
							Reflect.get(context, "mark"),
						]);
						return undefined;
					}),
				},
			],
		};
		const { statuses } = await createServedPair({ plugins: [looking] });
		expect(await statuses("/ok")).toEqual([200, 200]);
		expect(seen).toHaveLength(2);
		expect(seen[1]).toEqual(seen[0]);
		expect(seen[0]).toMatchObject([true, Object.keys(looking), expect.anything(), "written"]);
	});

	it("is itself as `this`, with its private fields, also if it is frozen", async () => {
		class Private implements BetterAuthPlugin {
			readonly id = "private";
			readonly #rules = [{ pathMatcher: () => false, window: 1, max: 1 }];
			readonly #status = 201;
			get rateLimit() {
				return this.#rules;
			}
			async onResponse(response: Response) {
				return { response: new Response(response.body, { status: this.#status }) };
			}
		}
		const { statuses } = await createServedPair({
			engine: { rateLimit: { enabled: true, max: 100 } },
			plugins: [Object.freeze(new Private())],
		});
		expect(await statuses("/ok")).toEqual([201, 201]);
	});

	it("is the request's own context in onAPIError.onError, called on its object", async () => {
		const seen: unknown[] = [];
		const reporting = {
			name: "own",
			onError(_error: unknown, { baseURL }: AuthContext) {
				seen.push([this?.name, baseURL]);
			},
		};
		const boom = createAuthEndpoint("/boom", { method: "GET" }, async () => {
			throw new Error("boom");
		});
		const { statuses } = await createServedPair({
			engine: { onAPIError: reporting },
			plugins: [{ id: "failing", endpoints: { boom } }],
		});
		expect(await statuses("/boom")).toEqual([500, 500]);
		expect(seen).toEqual([
			["own", `${ORIGIN}/api/auth`],
			["own", `${ORIGIN}/api/auth`],
		]);
	});
});
