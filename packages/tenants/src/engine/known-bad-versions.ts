export type KnownBad = {
	package: string;
	/** The id of the package's plugin, which reports the version. Not set for better-auth itself. */
	plugin?: string;
	/** The first release with the fix. Every lower version is refused. */
	fixedIn: string;
	advisories: readonly string[];
	/** what is wrong with these versions */
	reason: string;
	/** what else to do after installing the fix */
	also?: string;
};

/** Versions of Better Auth and its packages with a published advisory. */
export const KNOWN_BAD_VERSIONS: readonly KnownBad[] = [
	{
		package: "better-auth",
		fixedIn: "1.7.7",
		advisories: ["CVE-2026-114607", "GHSA-965c-763c-88jm"],
		reason: "an OAuth state works as a magic link, so an attacker can sign in as any user",
	},
	{
		package: "better-auth",
		fixedIn: "1.7.7",
		advisories: ["CVE-2026-110864"],
		reason: "the OAuth proxy accepts forged profiles, so an attacker can sign in as any user",
	},
	{
		package: "@better-auth/expo",
		plugin: "expo",
		fixedIn: "1.7.16",
		advisories: ["CVE-2026-121802"],
		reason: "it signs any value a caller sends, so an attacker can change the email of any account and get a session",
		also: "Then rotate the secret: values signed before stay valid until you do.",
	},
	{
		package: "@better-auth/sso",
		plugin: "sso",
		fixedIn: "1.7.3",
		advisories: ["CVE-2026-110863"],
		reason: "a user who registers a provider can sign in as users of another provider",
	},
	{
		package: "@better-auth/scim",
		plugin: "scim",
		fixedIn: "1.7.0",
		advisories: ["CVE-2026-67330", "GHSA-rjg6-39jm-rgg4"],
		reason: "a user who generates a SCIM token can take over accounts of other providers",
	},
	{
		package: "@better-auth/oauth-provider",
		plugin: "oauth-provider",
		fixedIn: "1.7.0",
		advisories: ["CVE-2026-67332", "GHSA-p2fr-6hmx-4528"],
		reason: "a client can get access tokens for resources it is not authorized for",
	},
];
