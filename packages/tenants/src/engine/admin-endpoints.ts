/** Endpoints of the admin plugin that change nothing for another user. */
const HARMLESS = new Set(["/admin/has-permission", "/admin/stop-impersonating"]);

/** Whether an endpoint of the admin plugin acts on other users. True for those that the plugin adds later. */
export const actsOnUsers = (path: string | undefined): boolean =>
	path?.startsWith("/admin/") === true && !HARMLESS.has(path);
