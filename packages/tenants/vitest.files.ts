/** Starts command lines, installs packages, or runs another engine's runtime: minutes together. */
export const SLOW = [
	"test/quick-start.test.ts",
	"test/compose/{cli,migrations,orm}.test.ts",
	"test/rows/{guide,prisma.security}.test.ts",
];

/** Tries every one of hundreds of inputs, or many requests at once on each database: seconds for each test. */
export const SWEEPS = ["test/**/*.sweep.test.ts"];

/** Measures its whole process, so that no other file may run in it. */
export const ISOLATED = ["test/scope/tag-memory.security.test.ts"];

const WATCH_OUTPUT = "../test-kit/src/watch-output.ts";

/** What every project of this package has in common. */
export const COMMON = {
	root: import.meta.dirname,
	globalSetup: ["../test-kit/src/global-setup.ts"],
	setupFiles: [WATCH_OUTPUT],
	// only ends what hangs: a verdict does not depend on speed
	testTimeout: 180_000,
	hookTimeout: 180_000,
	// Not inherited from the root. One more than the cores, because tests wait for servers. The same number in every project:
	// vitest refuses to run files of projects with different numbers together
	maxWorkers: 3,
};

/** Files that share a process: loading the engine takes longer than most of them. */
export const SHARED = {
	...COMMON,
	isolate: false,
	setupFiles: [WATCH_OUTPUT, "../test-kit/src/leave-no-trace.ts"],
};
