/** Endpoints of the admin plugin that change nothing for another user. */
const HARMLESS = new Set(["/admin/has-permission", "/admin/stop-impersonating"]);

/** Endpoints of the OAuth provider about clients. Only server code can call them, so no request of a tenant can. */
const OF_CLIENTS = "/admin/oauth2/";

/** Whether an endpoint of the admin plugin acts on other users. True for those that the plugin adds later. */
export const actsOnUsers = (path: string | undefined): boolean =>
	path?.startsWith("/admin/") === true && !path.startsWith(OF_CLIENTS) && !HARMLESS.has(path);
