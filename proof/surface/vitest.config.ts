import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		name: "surface",
		// the kit prints its report
		silent: "passed-only",
		root: import.meta.dirname,
		include: ["**/*.test.ts"],
		setupFiles: ["../../packages/test-kit/src/watch-output.ts", "../../packages/test-kit/src/leave-no-trace.ts"],
		// files share a process: loading Better Auth and all its plugins takes longer than many of them
		isolate: false,
		testTimeout: 180_000,
		hookTimeout: 180_000,
		// two cores, and every world holds database connections
		maxWorkers: 2,
	},
});
