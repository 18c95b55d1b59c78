import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { SHARED } from "../../../packages/tenants/vitest.files.ts";
import { logResults } from "./log-results.ts";
import { ROOT, readPlan } from "./plan.ts";
import { removable } from "./removable.ts";

const { files, named, log } = readPlan();
const inPackage = (path: string): string => join(SHARED.root, path);

/** The tests of the package with statements that can be removed. The plan says which. */
export default defineConfig({
	plugins: [removable()],
	test: {
		...SHARED,
		root: ROOT,
		globalSetup: SHARED.globalSetup.map(inPackage),
		setupFiles: SHARED.setupFiles.map(inPackage),
		include: files,
		...(named ? { testNamePattern: named } : {}),
		// a removed statement may leave a request waiting
		testTimeout: 60_000,
		hookTimeout: 60_000,
		maxWorkers: 2,
		silent: true,
		reporters: [logResults(log)],
	},
});
