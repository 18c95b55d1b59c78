import { betterAuth } from "better-auth";
import { createWorld, ORIGIN, type WorldOptions } from "test-kit/world";
import { createTenantHandler } from "../../../src/index.ts";

type Handler = (request: Request) => Promise<Response>;
type Init = { body?: unknown; headers?: Record<string, string> };

export const request = (path: string, { body, headers }: Init = {}): Request =>
	new Request(`${ORIGIN}/api/auth${path}`, {
		method: body === undefined ? "GET" : "POST",
		headers: { origin: ORIGIN, "content-type": "application/json", ...headers },
		body: body === undefined ? null : JSON.stringify(body),
	});

/** One instance with both of its handlers: the engine's own, and ours. */
export const createServedPair = async (options: WorldOptions = {}) => {
	const world = await createWorld(options);
	const auth = betterAuth(world.options);
	await auth.$context;
	const handlers: [engine: Handler, kept: Handler] = [auth.handler, createTenantHandler(auth)];
	return {
		world,
		auth,
		handlers,
		/** What both return for the same request, the engine's first. */
		statuses: async (path: string, init?: Init): Promise<number[]> => {
			const found: number[] = [];
			for (const handle of handlers) found.push((await handle(request(path, init))).status);
			return found;
		},
	};
};
