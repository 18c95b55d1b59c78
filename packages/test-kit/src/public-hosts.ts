/** Hosts of Google and Apple that the engine or the browser asks. In these tests all of them are on loopback. */
export const PUBLIC_HOSTS = [
	"accounts.google.com",
	"oauth2.googleapis.com",
	"openidconnect.googleapis.com",
	"www.googleapis.com",
	"appleid.apple.com",
] as const;
