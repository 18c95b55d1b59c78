import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		name: "browser",
		root: import.meta.dirname,
		include: ["**/*.test.ts"],
		testTimeout: 120_000,
		hookTimeout: 120_000,
		// one browser and two servers at a time: a journey that waits for a busy machine proves nothing
		fileParallelism: false,
	},
});
