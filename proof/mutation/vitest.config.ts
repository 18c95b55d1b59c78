import { defineConfig } from "vitest/config";

export default defineConfig({
	test: { name: "proof-mutation", include: ["**/*.test.ts"], testTimeout: 60_000, maxWorkers: 3 },
});
