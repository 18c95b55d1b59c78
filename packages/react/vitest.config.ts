import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		root: import.meta.dirname,
		name: "react",
		include: ["test/**/*.test.{ts,tsx}"],
		setupFiles: ["../test-kit/src/watch-output.ts"],
		// only ends what hangs: a verdict does not depend on speed
		testTimeout: 180_000,
		hookTimeout: 180_000,
		maxWorkers: 3,
	},
});
