import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		root: import.meta.dirname,
		name: "tenants-types",
		include: [],
		typecheck: { enabled: true, only: true, include: ["test/**/*.test-d.ts"] },
	},
});
