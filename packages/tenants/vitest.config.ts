import { defineConfig } from "vitest/config";

// the slow and the type tests have scripts of their own: `pnpm test:slow`, `pnpm test:types`
export default defineConfig({ test: { projects: ["vitest.{shared,isolated}.config.ts"] } });
