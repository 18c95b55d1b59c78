import type { CallbackURLsOf } from "./callback-urls.ts";

/**
 * A tenant's credentials for one provider, as the API returns them. The client secret is never returned.
 *
 * @example
 * ```ts
 * const configs: OauthConfig[] = await auth.api.listTenantOauthConfigs({ query: { tenantId } });
 * ```
 */
export type OauthConfig = {
	/** The tenant that the credentials belong to. */
	tenantId: string;
	/** The social provider, such as `google`. */
	providerId: string;
	/** The client id at the provider, or null if it cannot be decrypted. */
	clientId: string | null;
	/**
	 * Whether the stored credentials can be decrypted. False if they were encrypted with a secret that was removed. Users
	 * cannot sign in with such a config: register it again, with `options` if it had any.
	 */
	readable: boolean;
	/** The scopes that a sign-in requests, or null for the default ones. */
	scopes: string[] | null;
	/** The tenant's own redirect URI, or null for the default one. */
	redirectURI: string | null;
	/**
	 * The redirect URI that a sign-in sends at the tenant's main host, or at the host of this request if it is the tenant's.
	 * It is `redirectURI` if the config has one. Otherwise it stays the same until `options` name another server, or the
	 * tenant gets another host. Null if the application has no `baseURL`.
	 */
	callbackURL: string | null;
	/**
	 * All redirect URIs that sign-ins send: one for each host of the tenant. Enter them at the provider. One URI if all
	 * tenants share a host, if the config has a `redirectURI`, and with `oauth.callbackHost`. Empty if `callbackURL` is null.
	 */
	callbackURLs: string[];
	/** Whether users can sign in with it. */
	enabled: boolean;
	/** When the config was created. */
	createdAt: Date;
	/** When the config was last changed. */
	updatedAt: Date;
};

/** The stored form: clientId, clientSecret and options are encrypted, scopes is JSON text. */
export type OauthConfigRow = {
	id: string;
	tenantId: string;
	providerId: string;
	clientId: string;
	clientSecret: string;
	options?: string | null;
	scopes?: string | null;
	redirectURI?: string | null;
	callback: string;
	enabled: boolean;
	createdAt: Date;
	updatedAt: Date;
};

export const readScopes = (row: OauthConfigRow): string[] | null =>
	row.scopes ? (JSON.parse(row.scopes) as string[]) : null;

/** A config as the store returns it, before the application's base URL is added to its callback. */
export type StoredOauthConfig = Omit<OauthConfig, "callbackURL" | "callbackURLs"> & { callbackPath: string };

/** What is not stored in plain text. */
export type OpenedParts = Pick<StoredOauthConfig, "clientId" | "readable" | "callbackPath">;

/** Selects the fields that a config has outside of the store. */
export const selectFields = (
	row: OauthConfigRow,
	{ clientId, readable, callbackPath }: OpenedParts,
): StoredOauthConfig => ({
	tenantId: row.tenantId,
	providerId: row.providerId,
	clientId,
	readable,
	scopes: readScopes(row),
	redirectURI: row.redirectURI ?? null,
	callbackPath,
	enabled: Boolean(row.enabled),
	createdAt: row.createdAt,
	updatedAt: row.updatedAt,
});

/** The config as the API returns it. */
export const showOauthConfig = (
	{ callbackPath, ...config }: StoredOauthConfig,
	callbackURLsOf: CallbackURLsOf,
): OauthConfig => {
	const { redirectURI } = config;
	// the provider sees the config's own redirect URI
	const urls = redirectURI ? [redirectURI] : callbackURLsOf(config.providerId, callbackPath);
	return { ...config, callbackURL: urls[0] ?? null, callbackURLs: urls };
};

/** The OpenAPI schema of `OauthConfig`. */
export const oauthConfigOpenAPI = {
	type: "object" as const,
	properties: {
		tenantId: { type: "string" as const, description: "The tenant that the credentials belong to" },
		providerId: { type: "string" as const, description: "The social provider, such as `google`" },
		clientId: {
			type: "string" as const,
			nullable: true,
			description: "Client id at the provider, or null if it cannot be decrypted",
		},
		readable: { type: "boolean" as const, description: "Whether the stored credentials can be decrypted" },
		scopes: {
			type: "array" as const,
			items: { type: "string" as const },
			nullable: true,
			description: "Scopes that a sign-in requests, or null for the default ones",
		},
		redirectURI: {
			type: "string" as const,
			nullable: true,
			description: "The tenant's own redirect URI, or null for the default one",
		},
		callbackURL: {
			type: "string" as const,
			nullable: true,
			description: "The redirect URI that a sign-in sends at the tenant's main host, or at the host of this request",
		},
		callbackURLs: {
			type: "array" as const,
			items: { type: "string" as const },
			description: "All redirect URIs that sign-ins send, one for each host of the tenant. Enter them at the provider",
		},
		enabled: { type: "boolean" as const, description: "Whether users can sign in with it" },
		createdAt: { type: "string" as const, format: "date-time", description: "When the config was created" },
		updatedAt: { type: "string" as const, format: "date-time", description: "When the config was last changed" },
	},
	required: [
		"tenantId",
		"providerId",
		"clientId",
		"readable",
		"scopes",
		"redirectURI",
		"callbackURL",
		"callbackURLs",
		"enabled",
		"createdAt",
		"updatedAt",
	],
};
