import { defineConfig } from "vitest/config";

const COMMON = {
	globalSetup: ["../../packages/test-kit/src/global-setup.ts"],
	// by default, two cores run one. The same number in both projects: vitest refuses to run different numbers together
	maxWorkers: 2,
	// a busy machine stands still for seconds; what never comes is noticed all the same
	testTimeout: 300_000,
	hookTimeout: 300_000,
	expect: { poll: { timeout: 10_000 } },
};

/** Need a process of their own: Better Auth counts requests for the whole process. */
const ALONE = ["test/http/sign-in-limits.security.test.ts"];

export default defineConfig({
	test: {
		projects: [
			{
				// files share a process: loading Better Auth and its plugins takes longer than most of them
				test: {
					...COMMON,
					name: "server-shared",
					include: ["test/**/*.test.ts"],
					exclude: ALONE,
					isolate: false,
					setupFiles: ["../../packages/test-kit/src/leave-no-trace.ts"],
				},
			},
			{ test: { ...COMMON, name: "server", include: ALONE } },
		],
	},
});
