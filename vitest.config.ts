import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: ["test/**/*.test.ts"],
		typecheck: { enabled: true, include: ["test/**/*.test-d.ts"] },
		setupFiles: ["test/support/watch-output.ts"],
		testTimeout: 180_000,
		hookTimeout: 180_000,
		// two cores, and every world holds database connections
		maxWorkers: 2,
	},
});
