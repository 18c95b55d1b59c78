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

/** Folders whose files share a process: loading Better Auth and its plugins takes longer than most of them. */
const SHARED = "config|http";

/** Needs a process of its own: Better Auth counts requests for the whole process. */
const LIMITED = ["test/http/sign-in-limits.security.test.ts"];

export default defineConfig({
	test: {
		projects: [
			{
				test: {
					...COMMON,
					name: "server-shared",
					include: [`test/@(${SHARED})/**/*.test.ts`],
					exclude: LIMITED,
					isolate: false,
					setupFiles: ["../../packages/test-kit/src/leave-no-trace.ts"],
				},
			},
			{
				// not `exclude`: it would win over the files that are named here
				test: { ...COMMON, name: "server", include: [...LIMITED, `test/!(${SHARED})/**/*.test.ts`] },
			},
		],
	},
});
