import { defineConfig } from "vitest/config";
import { COMMON, ISOLATED, WATCH_OUTPUT } from "./vitest.files.ts";

export default defineConfig({
	test: { ...COMMON, name: "tenants-isolated", include: ISOLATED, setupFiles: [WATCH_OUTPUT] },
});
