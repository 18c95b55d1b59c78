import { join } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";
import { SHARED } from "../../../packages/tenants/vitest.files.ts";
import { readJob } from "./job.ts";
import { keptWorkers } from "./kept-worker.ts";

/** After Stryker has chosen a pool. */
const keepWorker: Plugin = {
	name: "keep-worker",
	configureVitest: ({ project }) => {
		Object.assign(project.config, { pool: keptWorkers.name, poolRunner: keptWorkers });
	},
};

const setUp = join(import.meta.dirname, "set-up.ts");

/** One flat project: Stryker forces one worker, and stops at the first failed test. */
export default defineConfig({
	plugins: [keepWorker],
	test: {
		...SHARED,
		name: "tenants",
		include: readJob().tests,
		// the whole run shares its servers
		globalSetup: [],
		setupFiles: [setUp, ...SHARED.setupFiles],
		maxWorkers: 1,
	},
});
