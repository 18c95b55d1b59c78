import { APIError } from "@better-auth/core/error";
import { createAuthEndpoint } from "better-auth/api";
import type { WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { createServedPair, request } from "./support/served-pair.ts";

const boom = async (): Promise<never> => {
	throw new Error("boom");
};
const refuse = async (): Promise<never> => {
	throw new APIError("FORBIDDEN", { message: "refused" });
};
/** The engine also calls these at start, without a request. */
const boomInRequests = async (sent?: Request): Promise<string[]> => (sent ? boom() : []);
const failing = { boom: createAuthEndpoint("/boom", { method: "GET" }, boom) };

const FAILURES: [string, WorldOptions][] = [
	["an endpoint throws", { plugins: [{ id: "failing", endpoints: failing }] }],
	[
		"an endpoint throws and onAPIError rethrows",
		{ engine: { onAPIError: { throw: true } }, plugins: [{ id: "failing", endpoints: failing }] },
	],
	[
		"onError throws",
		{
			engine: { onAPIError: { onError: () => void JSON.parse("no JSON") } },
			plugins: [{ id: "failing", endpoints: failing }],
		},
	],
	["onRequest throws", { plugins: [{ id: "failing", onRequest: boom }] }],
	["onRequest rejects the request with an error", { plugins: [{ id: "failing", onRequest: refuse }] }],
	["onResponse throws", { plugins: [{ id: "failing", onResponse: boom }] }],
	[
		"a matcher throws",
		{ plugins: [{ id: "failing", hooks: { before: [{ matcher: () => JSON.parse("no JSON"), handler: refuse }] } }] },
	],
	["the origins cannot be read", { engine: { trustedOrigins: boomInRequests } }],
	["the providers cannot be read", { engine: { account: { accountLinking: { trustedProviders: boomInRequests } } } }],
];

describe("a request that fails", () => {
	it.each(FAILURES)("fails and is logged as with auth.handler if %s", async (_name, options) => {
		const { world, handlers } = await createServedPair(options);
		const seen: unknown[] = [];
		for (const handle of handlers) {
			world.logs.length = 0;
			const found = await handle(request("/boom")).then(
				async (response) => [response.status, [...response.headers], await response.text()],
				(error: unknown) => [String(error)],
			);
			// the rest of a line is a stack
			seen.push([found, world.logs.map((line) => line.split("\n", 1))]);
		}
		expect(seen[1]).toEqual(seen[0]);
	});

	it("counts toward the same limits", async () => {
		const { handlers } = await createServedPair({
			engine: {
				rateLimit: {
					enabled: true,
					storage: "memory",
					customRules: { "/ok": { window: 60, max: 2 }, "/error": false },
				},
			},
		});
		for (const [at, handle] of handlers.entries()) {
			const headers = { "x-forwarded-for": `203.0.113.${at + 1}` };
			const statuses: number[] = [];
			for (const path of ["/ok", "/ok", "/ok", "/error", "/error", "/error"])
				statuses.push((await handle(request(path, { headers }))).status);
			expect(statuses).toEqual([200, 200, 429, 200, 200, 200]);
		}
	});
});
