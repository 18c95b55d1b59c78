import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { betterAuth } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { createWorld, ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { createTenantHandler } from "../../src/index.ts";
import { createHostedWorld } from "../resolve/support/hosted-world.ts";
import { createCountingPlugin } from "./support/counting-plugin.ts";
import { createServedPair, request } from "./support/served-pair.ts";

type Handler = (request: Request) => Promise<Response>;

const markOf = ({ url }: Request): string => new URL(url).searchParams.get("mark") ?? "";

describe("requests to several hosts at once", () => {
	// threat 94
	it("send links to their own host, and trust only its origin", async () => {
		const world = await createHostedWorld();
		await world.addDomain(world.acme, "shop.example");
		const hosts = ["acme.localhost", "globex.localhost", "shop.example"];
		for (const host of hosts) await world.signUpAt(host, `ada@${host}.example`);
		const reset = (host: string, origin: string) =>
			world.at(host, "/request-password-reset", {
				headers: { origin: `http://${origin}:3000` },
				body: { email: `ada@${host}.example`, redirectTo: `http://${origin}:3000/reset` },
			});
		const pairs = hosts.flatMap((host) => hosts.map((origin): [string, string] => [host, origin]));
		const found = await Promise.all(pairs.map(async ([host, origin]) => (await reset(host, origin)).status));
		expect(found).toEqual(pairs.map(([host, origin]) => (host === origin ? 200 : 403)));
		const links = world.mails.filter(({ kind }) => kind === "reset").map(({ to, url }) => [to, new URL(url).hostname]);
		expect(links.sort()).toEqual(hosts.map((host) => [`ada@${host}.example`, host]).sort());
	});

	// threat 94
	it("share one router, whatever hosts are sent", async () => {
		const { counted, plugin } = createCountingPlugin();
		const world = await createWorld({
			engine: { baseURL: { allowedHosts: ["*"], protocol: "http", fallback: ORIGIN } },
			allPlugins: [plugin],
		});
		const kept = createTenantHandler(world.auth);
		const sendTo = (host: string) => kept(request("/ok", { headers: { host } }));
		await sendTo("first.example");
		const before = counted.builds;
		const hosts = ["a.example/other", "a.example/../x", "a.example:1/x", "[::1]/x", "a.example?x", "a b", ""];
		for (const host of [...hosts, ...Array.from({ length: 20 }, (_, n) => `n${n}.example`)])
			expect((await sendTo(host)).status).toBe(200);
		expect(counted.builds).toBe(before);
	});
});

describe("the context of a request", () => {
	/** Marks the context of a request, may send another request, and reads the mark where the engine lets a plugin. */
	const createNesting = () => {
		const seen: string[] = [];
		const inner: { handler?: Handler } = {};
		const read = (where: string, context: object) => void seen.push(`${where} ${Reflect.get(context, "mark")}`);
		const nesting: BetterAuthPlugin = {
			id: "nesting",
			onRequest: async (incoming, context) => {
				Object.assign(context, { mark: markOf(incoming) });
				if (markOf(incoming) === "outer") await inner.handler?.(request("/read?mark=inner"));
				return undefined;
			},
			onResponse: async (_response, context) => read("onResponse", context),
			endpoints: {
				read: createAuthEndpoint("/read", { method: "GET" }, async ({ context }) => read("endpoint", context)),
			},
		};
		return { seen, inner, nesting };
	};
	const NESTED = ["endpoint inner", "onResponse inner", "endpoint outer", "onResponse outer"];

	// threat 94
	it("stays its own if a plugin sends a request to the same handler, or to another instance with the same plugin", async () => {
		const { seen, inner, nesting } = createNesting();
		const { world, handlers } = await createServedPair({ plugins: [nesting] });
		const others = [...handlers, createTenantHandler(betterAuth(world.options))];
		for (const outer of others)
			for (const handler of others) {
				inner.handler = handler;
				await outer(request("/read?mark=outer"));
				expect(seen.splice(0)).toEqual(NESTED);
			}
	});

	// threat 94
	it("stays its own after the response: in a stream, in background work and in what a plugin kept", async () => {
		const kept = new Map<string, AuthContext>();
		const background: Promise<string>[] = [];
		let open = (): void => undefined;
		const opened = new Promise<void>((resolve) => {
			open = resolve;
		});
		const late: BetterAuthPlugin = {
			id: "late",
			onRequest: async (incoming, context) => {
				kept.set(markOf(incoming), Object.assign(context, { mark: markOf(incoming) }));
				return undefined;
			},
			endpoints: {
				stream: createAuthEndpoint("/stream", { method: "GET" }, async ({ context }) => {
					const mark = () => String(Reflect.get(context, "mark"));
					background.push(opened.then(mark));
					return new Response(
						new ReadableStream<Uint8Array>({
							pull: async (controller) => {
								await opened;
								controller.enqueue(new TextEncoder().encode(mark()));
								controller.close();
							},
						}),
					);
				}),
			},
		};
		const { handlers } = await createServedPair({ plugins: [late] });
		const marks = handlers.flatMap((_, at) => ["a", "b", "c"].map((name) => `${at}${name}`));
		const responses = await Promise.all(
			marks.map((mark) => handlers[mark.startsWith("0") ? 0 : 1](request(`/stream?mark=${mark}`))),
		);
		open();
		expect(await Promise.all(responses.map((response) => response.text()))).toEqual(marks);
		expect((await Promise.all(background)).sort()).toEqual(marks);
		expect(marks.map((mark) => Reflect.get(kept.get(mark) ?? {}, "mark"))).toEqual(marks);
	});

	it("serves the request that a plugin put in place of the one that was sent", async () => {
		const replacing: BetterAuthPlugin = {
			id: "replacing",
			onRequest: async (incoming) => ({ request: request(`/echo?mark=new-${markOf(incoming)}`) }),
			endpoints: {
				echo: createAuthEndpoint("/echo", { method: "GET" }, async (ctx) => ({
					mark: ctx.request && markOf(ctx.request),
				})),
			},
		};
		const { handlers } = await createServedPair({ plugins: [replacing] });
		for (const handle of handlers) {
			const found = await Promise.all(
				["a", "b"].map(async (mark) => (await handle(request(`/ok?mark=${mark}`))).json()),
			);
			expect(found).toEqual([{ mark: "new-a" }, { mark: "new-b" }]);
		}
	});
});
