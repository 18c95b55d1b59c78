import { defineConfig } from "tsdown";

export default defineConfig({
	entry: [
		"src/index.ts",
		"src/admin.ts",
		"src/client.ts",
		"src/cookies.ts",
		"src/lifecycle.ts",
		"src/policy.ts",
		"src/providers.ts",
		"src/resolvers.ts",
		"src/rows.ts",
		"src/testing.ts",
		"src/tokens.ts",
	],
	format: "esm",
	platform: "neutral",
	target: "es2023",
	dts: true,
	fixedExtension: false,
	// node:async_hooks is there in Node, Bun, Deno and workerd; the rest of Node is imported where it is used
	deps: { neverBundle: [/^node:/] },
});
