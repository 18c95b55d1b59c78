import type { NextConfig } from "next";

export default {
	// pages of tenants load scripts of the development server
	allowedDevOrigins: ["*.localhost"],
	poweredByHeader: false,
} satisfies NextConfig;
