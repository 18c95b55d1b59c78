/** Hosts of Google and Apple that the engine or the browser calls. In tests they resolve to loopback. */
export const PUBLIC_HOSTS = [
	"accounts.google.com",
	"oauth2.googleapis.com",
	"openidconnect.googleapis.com",
	"www.googleapis.com",
	"appleid.apple.com",
] as const;
