import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
	// the service serves the files from here on every host, also below a tenant's path
	base: "/console/",
	plugins: [react(), tailwind()],
	build: {
		target: "es2023",
		// the content security policy allows no data: URL
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		// whoever gets the libraries gets their licenses. Also read by the service's build (apps/server/list-bundled.ts)
		license: { fileName: "licenses.json" },
	},
});
