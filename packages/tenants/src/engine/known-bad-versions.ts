export type KnownBad = {
	package: string;
	/** The id of the package's plugin, which says its version; the engine says its own. */
	plugin?: string;
	/** The first release with the fix: every version below it is refused. */
	fixedIn: string;
	advisories: readonly string[];
	/** what is wrong with them */
	reason: string;
	/** what else is to be done once the fix is installed */
	also?: string;
};

/** Versions of the engine and of its packages with a published advisory. A row names its sources by their ids. */
export const KNOWN_BAD_VERSIONS: readonly KnownBad[] = [
	{
		package: "better-auth",
		fixedIn: "1.7.7",
		advisories: ["CVE-2026-114607", "GHSA-965c-763c-88jm"],
		reason: "an OAuth state works as a magic link, so anyone signs in as anyone",
	},
	{
		package: "better-auth",
		fixedIn: "1.7.7",
		advisories: ["CVE-2026-110864"],
		reason: "the OAuth proxy takes forged profiles, so anyone signs in as anyone",
	},
	{
		package: "@better-auth/expo",
		plugin: "expo",
		fixedIn: "1.7.16",
		advisories: ["CVE-2026-121802"],
		reason: "it signs any value that a caller sends, so anyone changes the e-mail of any account and gets a session",
		also: "Then rotate the secret: what was signed stays valid until you do.",
	},
	{
		package: "@better-auth/sso",
		plugin: "sso",
		fixedIn: "1.7.3",
		advisories: ["CVE-2026-110863"],
		reason: "a user who registers a provider of their own signs in as users of another provider",
	},
	{
		package: "@better-auth/scim",
		plugin: "scim",
		fixedIn: "1.7.0",
		advisories: ["CVE-2026-67330", "GHSA-rjg6-39jm-rgg4"],
		reason: "a user who generates a SCIM token takes over accounts of other providers",
	},
	{
		package: "@better-auth/oauth-provider",
		plugin: "oauth-provider",
		fixedIn: "1.7.0",
		advisories: ["CVE-2026-67332", "GHSA-p2fr-6hmx-4528"],
		reason: "a client gets access tokens for resources that nobody authorized it for",
	},
];
