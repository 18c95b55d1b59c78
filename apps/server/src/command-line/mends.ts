/** What to do about a refusal of the API, in the words of this command line. */
const MENDS: Record<string, string> = {
	TENANT_MANAGEMENT_UNAUTHORIZED: "Give a key: MANAGEMENT_KEY, MANAGEMENT_KEY_FILE or --key-file.",
	TENANT_MANAGEMENT_NOT_ALLOWED: "The key must be one of the server's MANAGEMENT_KEYS.",
	TENANT_NOT_FOUND: "`tenants tenant list` shows which there are.",
	TENANT_SLUG_TAKEN: "Take another slug.",
	TENANT_ID_TAKEN: "Leave this tenant out, or delete the other one first.",
	INVALID_METADATA: "Give a smaller JSON object.",
	UNSUPPORTED_PROVIDER: "Take a provider of docs/providers.md.",
	INVALID_PROVIDER_OPTIONS: "docs/providers.md lists the options of each provider; give them as --option key=value.",
	OAUTH_CONFIG_NOT_FOUND: "`tenants oauth-config list --tenant ID` shows which there are.",
	OAUTH_CONFIG_UNREADABLE:
		"`tenants doctor` says which secret is missing. If it is lost, register the credentials again.",
	TENANTS_CLOSED: "Run `tenants migrate` where the server runs.",
	TRANSFER_DISABLED: "Set MANAGEMENT_TRANSFER=true at the server for the time of the move, and start it again.",
	AUDIT_UNAVAILABLE: "Look into the server's log.",
	STORE_UNAVAILABLE: "Wait for its database and Redis, or run `tenants doctor` where the server runs.",
	TOO_MANY_REQUESTS: "Wait a little, or raise RATE_LIMIT_MAX at the server.",
};

export const mendFor = (code: string): string | undefined => (Object.hasOwn(MENDS, code) ? MENDS[code] : undefined);
