import { createTenantPath } from "../../lib/tenant-path.ts";

/** Where a request for the console points: one of its files, or a page of it. */
export type ConsolePlace = { file: string } | { base: string };

/** Maps a path to the console: `/console/…` or, with a tenant path, `/t/acme/console/…`. Files have one path on every host. */
export const createConsolePaths = (tenantPath: string | null) => {
	const split = createTenantPath(tenantPath);
	return (pathname: string): ConsolePlace | null => {
		if (isConsole(pathname)) {
			const file = pathname.slice("/console/".length);
			return file.startsWith("assets/") || file === "favicon.svg" ? { file } : { base: "" };
		}
		const tenant = split(pathname);
		return tenant && isConsole(tenant.rest) ? { base: tenant.base } : null;
	};
};

const isConsole = (pathname: string): boolean => pathname === "/console" || pathname.startsWith("/console/");
