import { defineConfig } from "vitest/config";
import { COMMON, SLOW, WATCH_OUTPUT } from "./vitest.files.ts";

export default defineConfig({
	test: { ...COMMON, name: "tenants-slow", include: SLOW, setupFiles: [WATCH_OUTPUT] },
});
