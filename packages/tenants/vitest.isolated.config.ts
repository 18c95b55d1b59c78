import { defineConfig } from "vitest/config";
import { COMMON, ISOLATED } from "./vitest.files.ts";

export default defineConfig({ test: { ...COMMON, name: "tenants-isolated", include: ISOLATED } });
