import { defineConfig } from "vitest/config";

export default defineConfig({ test: { name: "proof-new-team", include: ["*.test.ts"] } });
