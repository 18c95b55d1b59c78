import { defineConfig } from "tsdown";

export default defineConfig({
	entry: ["src/index.ts", "src/client.ts", "src/cookies.ts", "src/resolvers.ts", "src/testing.ts"],
	format: "esm",
	platform: "neutral",
	target: "es2023",
	dts: true,
	fixedExtension: false,
	// node:async_hooks is there in Node, Bun, Deno and workerd; nothing else of Node is used
	deps: { neverBundle: [/^node:/] },
});
