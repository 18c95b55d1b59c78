import { join } from "node:path";
import { defineConfig } from "tsdown";
import { listBundled } from "./list-bundled.ts";
import manifest from "./package.json" with { type: "json" };

const CONSOLE = "../console/dist";

export default defineConfig({
	entry: ["src/main.ts"],
	format: "esm",
	platform: "node",
	target: "node22.18",
	dts: false,
	fixedExtension: false,
	plugins: [
		listBundled({
			others: join(import.meta.dirname, CONSOLE, "licenses.json"),
			dependencies: Object.keys(manifest.dependencies),
			unused: ["prettier"],
		}),
	],
	// the sign-in pages' styles and script, read by src/pages/assets.ts
	// and the console's build, read by src/http/console-files/open-files.ts
	copy: [
		{ from: "src/pages/assets", to: "dist" },
		{ from: CONSOLE, to: "dist", rename: "console" },
	],
	// The package from its sources: the service is one build, and its image needs no copy of it. Better Auth and other libraries
	// are hundreds of small modules, which take longer to find than to run: one file starts in half the time. Left out are
	// native code (bcrypt), what starts threads or reads files beside itself (pino, graphile-worker, ioredis), and what they share with us (pg).
	// Only what is left out is a dependency, so that an image contains nothing twice. What is bundled is listed in bundled.json, with its
	// licenses, and in the image's SBOM.
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
