import { defineConfig } from "tsdown";

export default defineConfig({
	entry: ["src/main.ts"],
	format: "esm",
	platform: "node",
	target: "node22.18",
	dts: false,
	fixedExtension: false,
	// the sign-in pages' styles and script, read by src/pages/assets.ts
	// and the console's build, read by src/http/console-files/open-files.ts
	copy: [
		{ from: "src/pages/assets", to: "dist" },
		{ from: "../console/dist", to: "dist", rename: "console" },
	],
	// The package from its sources: the service is one build, and its image needs no copy of it. Better Auth and other libraries
	// are hundreds of small modules, which take longer to find than to run: one file starts in half the time. Left out are
	// native code (bcrypt), what starts threads or reads files beside itself (pino, graphile-worker, ioredis), and what they share with us (pg).
	// All of them remain dependencies, so that an image has their licenses, and scanners find their versions.
	// React Email is bundled, too, as it is a development dependency. It would use prettier for indented HTML only, which no mail is
	deps: {
		alwaysBundle: [
			/^(@better-auth|@hono|@opentelemetry)\//,
			/^(better-auth|better-auth-tenants|cli-progress|commander|hono|nodemailer|prom-client|standardwebhooks|zod)($|\/)/,
		],
		neverBundle: [/^prettier\//],
		onlyBundle: false,
	},
});
