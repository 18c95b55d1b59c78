import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		// the engine logs every rejected request: shown for failed tests only
		silent: "passed-only",
		// the scripts of package.json choose among them by name; the proofs that take minutes have configurations of their own
		projects: [
			"packages/tenants/vitest.{shared,isolated,sweeps,slow}.config.ts",
			"packages/{create,react,test-kit}/vitest.config.ts",
			"proof/{isolation,mutation,bench,engines,installed,new-team,service,site}/vitest.config.ts",
			// as a pattern, because the mutants have no apps: a missing file would stop their tests
			"{scripts,apps/docs,apps/console}/vitest.config.ts",
		],
	},
});
