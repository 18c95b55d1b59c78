import { existsSync } from "node:fs";
import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";
import { defineConfig } from "vite";

if (existsSync(".env")) process.loadEnvFile();

export default defineConfig({
	plugins: [sveltekit({ adapter: adapter() })],
	server: { port: Number(process.env.PORT ?? 3000), strictPort: true },
});
