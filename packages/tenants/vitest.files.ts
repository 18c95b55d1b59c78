/** Starts command lines, installs packages, or runs another engine's runtime: minutes together. */
export const SLOW = ["test/quick-start.test.ts", "test/compose/{cli,migrations,orm}.test.ts"];

/** Measures its whole process, so that no other file may run in it. */
export const ISOLATED = ["test/scope/tag-memory.security.test.ts"];

/** What every project of this package has in common. */
export const COMMON = {
	root: import.meta.dirname,
	globalSetup: ["../test-kit/src/global-setup.ts"],
	// only ends what hangs: a verdict does not depend on speed
	testTimeout: 180_000,
	hookTimeout: 180_000,
	// not inherited from the root; by default, two cores run one
	maxWorkers: 2,
};
export const WATCH_OUTPUT = "../test-kit/src/watch-output.ts";
