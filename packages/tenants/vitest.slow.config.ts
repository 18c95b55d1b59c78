import { defineConfig } from "vitest/config";
import { COMMON, SLOW } from "./vitest.files.ts";

export default defineConfig({ test: { ...COMMON, name: "tenants-slow", include: SLOW } });
