import { Browser } from "test-kit/browser";
import { errorOf } from "test-kit/social";
import { afterEach, describe, expect, it, vi } from "vitest";
import { PROVIDERS } from "./support/expected-providers.ts";
import { callbackOf, createPair, register, start } from "./support/two-tenants.ts";

afterEach(() => vi.unstubAllGlobals());

/** Answers every request with an error, and keeps the parameters of each. */
const watchRequests = () => {
	const sent: URLSearchParams[] = [];
	vi.stubGlobal("fetch", async (input: string | URL | Request, init?: RequestInit) => {
		const request = new Request(input, init);
		const parameters = new URLSearchParams(new URL(request.url).search);
		for (const [name, value] of new URLSearchParams(await request.text())) parameters.append(name, value);
		sent.push(parameters);
		return Response.json({ error: "invalid_grant" }, { status: 400 });
	});
	return sent;
};

describe.each(PROVIDERS)("the token request to %s", (providerId, { options }) => {
	it("names the client by `client_key` only if the provider is TikTok", async () => {
		const { world, a, b } = await createPair();
		for (const tenantId of [a, b])
			await register(world, tenantId, providerId, {
				clientId: `client-of-${tenantId}`,
				...(options ? { options } : {}),
			});
		const sent = watchRequests();
		for (const tenantId of [a, b]) {
			const browser = new Browser();
			const answer = await world.call(callbackOf(await start(world, tenantId, providerId, browser)), { browser });
			expect(errorOf(answer)).toBe("invalid_code");
		}
		const keys = sent.map((parameters) => parameters.getAll("client_key"));
		expect(keys).toEqual([a, b].map((tenantId) => (providerId === "tiktok" ? [`client-of-${tenantId}`] : [])));
	});
});
