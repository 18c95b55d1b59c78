import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
	plugins: [react()],
	// custom domains of tenants during development
	server: { allowedHosts: [".test"] },
});
