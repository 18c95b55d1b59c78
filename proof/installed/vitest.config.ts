import { defineConfig } from "vitest/config";

export default defineConfig({ test: { name: "proof-installed", include: ["*.test.ts"] } });
