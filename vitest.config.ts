import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		// what takes seconds; the proofs that take minutes have configurations and scripts of their own
		projects: [
			"packages/tenants/vitest.{shared,isolated}.config.ts",
			"packages/test-kit/vitest.config.ts",
			"proof/{isolation,bench,service}/vitest.config.ts",
			"scripts/vitest.config.ts",
		],
	},
});
