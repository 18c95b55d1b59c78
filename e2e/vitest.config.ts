import { defineConfig } from "vitest/config";

// biome-ignore lint/style/noDefaultExport: this is how vitest reads its configuration
export default defineConfig({
	test: {
		include: ["e2e/**/*.test.ts"],
		testTimeout: 40_000,
		hookTimeout: 40_000,
		// one browser and two servers at a time: a journey that waits for a busy machine proves nothing
		fileParallelism: false,
	},
});
