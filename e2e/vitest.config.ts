import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		// the journeys, and what else has to hold from the first click to the last: every provider, every change of a config
		// in mid-flow, every way a provider can misbehave, and credentials sealed anew
		include: [
			"e2e/**/*.test.ts",
			"test/oauth/{providers,changes.security,hostile.security,authority.security,reseal}.test.ts",
		],
		testTimeout: 120_000,
		hookTimeout: 120_000,
		// one browser and two servers at a time: a journey that waits for a busy machine proves nothing
		fileParallelism: false,
	},
});
