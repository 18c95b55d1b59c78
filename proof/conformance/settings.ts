import type { BetterAuthOptions } from "better-auth";
import type { TenantAuthOptions } from "better-auth-tenants";

/** Options that all servers of a run have in addition to their own. */
export type Setting = {
	/** for the report */
	says: string;
	auth?: (options: BetterAuthOptions) => Partial<BetterAuthOptions>;
	tenants?: (options: TenantAuthOptions) => TenantAuthOptions;
};

export type SettingName =
	| "standard"
	| "defaults"
	| "cookie state"
	| "cookie cache"
	| "serial ids"
	| "path in the base URL";

const originOf = ({ baseURL }: BetterAuthOptions): string => new URL(String(baseURL)).origin;

export const settings: Record<SettingName, Setting> = {
	standard: { says: "no drain time" },
	defaults: {
		says: "defaults",
		tenants: ({ deletion: _, ...others }) => others,
		auth: () => ({ rateLimit: {} }),
	},
	"cookie state": {
		says: '`account.storeStateStrategy: "cookie"`',
		auth: ({ account }) => ({ account: { ...account, storeStateStrategy: "cookie" } }),
	},
	"cookie cache": {
		says: "`session.cookieCache`",
		auth: ({ session }) => ({ session: { ...session, cookieCache: { enabled: true, maxAge: 300 } } }),
	},
	"serial ids": {
		says: '`advanced.database.generateId: "serial"`',
		auth: ({ advanced }) => ({
			advanced: { ...advanced, database: { ...advanced?.database, generateId: "serial" } },
		}),
	},
	"path in the base URL": {
		says: "`baseURL` with a path",
		auth: ({ basePath, ...options }) => ({
			baseURL: originOf(options) + (basePath ?? "/accounts/v1/auth"),
			basePath: undefined,
		}),
	},
};
