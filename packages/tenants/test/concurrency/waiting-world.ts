import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { createWorld, ORIGIN, type WorldOptions } from "test-kit/world";
import { expect } from "vitest";
import { type ConcurrencyOptions, currentTenantId, limitConcurrency } from "../../src/index.ts";

export type Way = {
	path?: string;
	query?: Record<string, string>;
	headers?: Record<string, string>;
	body?: unknown;
	/** sends the body without a `content-length` */
	chunked?: boolean;
};

type Inside = { tenantId: string | null; go: () => void };
type Meanwhile = (request: Request | undefined) => Promise<unknown>;

/** A world that holds requests inside the engine, pinned to their tenant, until `letAllGo` is called. */
export const createWaitingWorld = async (
	{ meanwhile, ...bounds }: ConcurrencyOptions & { meanwhile?: Meanwhile },
	options: WorldOptions = {},
) => {
	const inside: Inside[] = [];
	let onEntry = () => {};
	const seen = { byEngine: 0 };
	const metadata = { allowedMediaTypes: ["application/json", "application/x-www-form-urlencoded"] };
	const endpointAt = (path: string) =>
		createAuthEndpoint(path, { method: ["GET", "POST"], metadata }, async (ctx) => {
			const tenantId = currentTenantId();
			await meanwhile?.(ctx.request);
			onEntry();
			await new Promise<void>((go) => inside.push({ tenantId, go }));
			return ctx.json({ tenantId });
		});
	const waiting: BetterAuthPlugin = {
		id: "waiting",
		onRequest: async () => {
			seen.byEngine += 1;
			return undefined;
		},
		endpoints: {
			wait: endpointAt("/wait"),
			waitToSignIn: endpointAt("/sign-in/wait"),
			waitById: endpointAt("/sign-in/wait/:id"),
			waitForCallback: endpointAt("/callback/wait/:id"),
		},
	};
	const world = await createWorld({ ...options, plugins: [waiting, ...(options.plugins ?? [])] });
	const handler = limitConcurrency(world.auth, bounds);

	const send = async ({ path = "/sign-in/wait", query = {}, headers = {}, body, chunked = false }: Way) => {
		const url = `${ORIGIN}/api/auth${path}?${new URLSearchParams(query)}`;
		const text = typeof body === "string" ? body : JSON.stringify(body);
		const sent =
			body === undefined
				? { method: "GET", headers }
				: {
						method: "POST",
						body: chunked ? new Blob([text]).stream() : text,
						duplex: "half",
						headers: { "content-type": "application/json", ...headers },
					};
		const response = await handler(new Request(url, { ...sent, headers: { origin: ORIGIN, ...sent.headers } }));
		return { status: response.status, headers: response.headers, json: await response.json() };
	};

	/** Returns the response to a request that is rejected. Fails at once if the request gets inside. */
	const sendRejected = (way: Way) =>
		new Promise<Awaited<ReturnType<typeof send>>>((resolve, reject) => {
			onEntry = () => reject(new Error(`${JSON.stringify(way).slice(0, 200)} got inside`));
			send(way).then(resolve, reject);
		}).finally(() => {
			onEntry = () => {};
		});

	return {
		...world,
		seen,
		handler,
		send,
		sendRejected,
		/** Waits until `count` requests are inside, and returns their tenants. */
		untilInside: async (count: number): Promise<(string | null)[]> => {
			await expect.poll(() => inside.length, { timeout: 60_000 }).toBe(count);
			return inside.map(({ tenantId }) => tenantId);
		},
		letAllGo: (): void => {
			for (const { go } of inside.splice(0)) go();
		},
	};
};
