import { defineConfig } from "vitest/config";

// the time limit only ends what hangs: some start many processes, and CI shares the machine
export default defineConfig({
	test: { name: "scripts", include: ["**/*.test.ts"], testTimeout: 600_000, maxWorkers: 3 },
});
