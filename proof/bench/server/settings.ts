import type { TenantAuthOptions } from "better-auth-tenants";

/** The settings of a server. They are sent between processes, so they are plain values. */
export type ServerSettings = {
	databaseURL: string;
	hashing: "scrypt" | "cheap";
	tenants?: Pick<TenantAuthOptions, "hashing" | "deletion">;
	/** users can be transferred with the management key */
	transfer?: boolean;
	/** sessions and open flows are stored here; in the database if undefined */
	redis?: { url: string; prefix: string } | undefined;
	/** concurrent requests of one tenant that the application allows; further ones get 503 */
	inFlightPerTenant?: number | undefined;
	/** the sign-in limit and what it counts by; unlimited if undefined */
	signInLimit?: { max: number; window: number; by: "address" | "tenant" } | undefined;
};

export const MANAGEMENT_KEY = "bench-management-key-0123456789abcdef";
export const PASSWORD = "correct horse battery";

/** Connections of a server to its database. */
export const POOL_SIZE = 10;
/** The header in which a proxy sets the caller's address. */
export const ADDRESS_HEADER = "x-forwarded-for";
