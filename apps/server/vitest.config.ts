import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: ["test/**/*.test.ts"],
		globalSetup: ["../../packages/test-kit/src/global-setup.ts"],
		// by default, two cores run one
		maxWorkers: 2,
		// a busy machine stands still for seconds; what never comes is noticed all the same
		testTimeout: 60_000,
		hookTimeout: 60_000,
		expect: { poll: { timeout: 10_000 } },
	},
});
