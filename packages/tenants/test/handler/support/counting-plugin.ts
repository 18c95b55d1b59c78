import type { BetterAuthPlugin } from "@better-auth/core";
import { createAuthEndpoint } from "better-auth/api";

/** A plugin that counts how often a router was built with it. */
export const createCountingPlugin = () => {
	const counted = { builds: 0 };
	const endpoint = createAuthEndpoint("/counted", { method: "GET" }, async () => ({}));
	// the engine reads it whenever it builds a router
	Object.defineProperty(endpoint, "path", {
		get: () => {
			counted.builds += 1;
			return "/counted";
		},
	});
	return { counted, plugin: { id: "counting", endpoints: { endpoint } } satisfies BetterAuthPlugin };
};
