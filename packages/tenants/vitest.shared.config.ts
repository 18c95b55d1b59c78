import { defineConfig } from "vitest/config";
import { COMMON, ISOLATED, SLOW, WATCH_OUTPUT } from "./vitest.files.ts";

/** Files that share a process: loading the engine takes longer than most of them. */
export default defineConfig({
	test: {
		...COMMON,
		name: "tenants",
		include: ["test/**/*.test.ts"],
		exclude: [...ISOLATED, ...SLOW],
		isolate: false,
		setupFiles: [WATCH_OUTPUT, "../test-kit/src/leave-no-trace.ts"],
	},
});
