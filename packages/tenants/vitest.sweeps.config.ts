import { defineConfig } from "vitest/config";
import { SHARED, SWEEPS } from "./vitest.files.ts";

export default defineConfig({ test: { ...SHARED, name: "tenants-sweeps", include: SWEEPS } });
