import { defineConfig } from "vitest/config";

export default defineConfig({
	test: { name: "test-kit", include: ["test/**/*.test.ts"], testTimeout: 60_000, maxWorkers: 3 },
});
