import { defineConfig } from "vitest/config";
import { ISOLATED, SHARED, SLOW, SWEEPS } from "./vitest.files.ts";

export default defineConfig({
	test: { ...SHARED, name: "tenants", include: ["test/**/*.test.ts"], exclude: [...ISOLATED, ...SLOW, ...SWEEPS] },
});
