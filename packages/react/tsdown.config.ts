import { defineConfig } from "tsdown";

export default defineConfig({
	entry: ["src/index.ts"],
	format: "esm",
	platform: "neutral",
	target: "es2023",
	dts: true,
	fixedExtension: false,
	// frameworks with server components render everything of this package in the browser, too
	banner: { js: '"use client";' },
});
