import { defineConfig } from "tsdown";

export default defineConfig({
	entry: ["src/main.ts"],
	format: "esm",
	platform: "node",
	target: "node22.18",
	dts: false,
	fixedExtension: false,
	// the sign-in pages' styles and script, read by src/pages/assets.ts
	// and the console's build, read by src/console-files/open-files.ts
	copy: [
		{ from: "src/pages/assets", to: "dist" },
		{ from: "../console/dist", to: "dist", rename: "console" },
	],
	// from its sources: the service is one build, and its image needs no copy of the package
	// React Email is bundled, too, as it is a development dependency. It would use prettier for indented HTML only, which no mail is
	deps: { alwaysBundle: ["better-auth-tenants"], neverBundle: [/^prettier\//], onlyBundle: false },
});
