import { defineConfig } from "vitest/config";

export default defineConfig({
	test: { name: "proof-isolation", include: ["**/*.test.ts"], testTimeout: 600_000, maxWorkers: 3 },
});
