/** How to fix an API error, in terms of this command line. */
const FIXES: Record<string, string> = {
	TENANT_MANAGEMENT_UNAUTHORIZED: "Set MANAGEMENT_KEY or MANAGEMENT_KEY_FILE, or pass --key-file.",
	TENANT_MANAGEMENT_NOT_ALLOWED: "The key must be one of the server's MANAGEMENT_KEYS.",
	TENANT_NOT_FOUND: "List the tenants with `tenants tenant list`.",
	TENANT_SUSPENDED: "Restore the tenant first with `tenants tenant restore ID`.",
	TENANT_ARCHIVED: "Restore the tenant first with `tenants tenant restore ID`.",
	TENANT_NOT_SUSPENDED: "Suspend the tenant first with `tenants tenant suspend ID --reason TEXT`.",
	TENANT_STATE_CHANGED: "Look at the tenant with `tenants tenant get ID`, then try again.",
	TENANT_SLUG_TAKEN: "Choose another slug.",
	TENANT_ID_TAKEN: "Skip this tenant, or delete the existing one first.",
	INVALID_METADATA: "Use a smaller JSON object, without the key __proto__.",
	UNSUPPORTED_PROVIDER: "Use a provider listed in docs/providers.md.",
	INVALID_PROVIDER_OPTIONS: "See docs/providers.md for the options of each provider. Pass them as --option key=value.",
	OAUTH_CONFIG_NOT_FOUND: "List the configs with `tenants oauth-config list --tenant ID`.",
	OAUTH_CONFIG_UNREADABLE:
		"Run `tenants doctor` to see which secret is missing. If it is lost, register the credentials again.",
	DATABASE_NOT_ISOLATED: "Run `tenants migrate` on the server.",
	TRANSFER_DISABLED: "Set MANAGEMENT_TRANSFER=true on the server and restart it. Turn it off after the transfer.",
	AUDIT_UNAVAILABLE: "Check the server's log.",
	STORE_UNAVAILABLE: "Retry when the database and Redis are back, or run `tenants doctor` on the server.",
	TOO_MANY_REQUESTS: "Retry later, or raise RATE_LIMIT_MAX on the server.",
};

export const fixFor = (code: string): string | undefined => (Object.hasOwn(FIXES, code) ? FIXES[code] : undefined);
