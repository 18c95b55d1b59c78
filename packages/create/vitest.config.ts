import { defineConfig } from "vitest/config";

export default defineConfig({
	// only ends what hangs: packing runs a build
	test: { name: "create", include: ["test/**/*.test.ts"], testTimeout: 180_000, hookTimeout: 180_000, maxWorkers: 3 },
});
