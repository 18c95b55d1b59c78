import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		name: "tenants",
		include: ["test/**/*.test.ts"],
		typecheck: { enabled: true, include: ["test/**/*.test-d.ts"] },
		globalSetup: ["../test-kit/src/global-setup.ts"],
		setupFiles: ["../test-kit/src/watch-output.ts"],
		testTimeout: 180_000,
		hookTimeout: 180_000,
	},
});
