import type { TenantAuthOptions } from "better-auth-tenants";

/** What a server is started with. Sent between processes, so plain values only. */
export type ServerSettings = {
	databaseURL: string;
	hashing: "scrypt" | "cheap";
	tenants?: Pick<TenantAuthOptions, "hashing" | "deletion">;
	/** users come in and go out by the management key */
	transfer?: boolean;
	/** sessions and open flows lie here; in the database where this is absent */
	redis?: { url: string; prefix: string } | undefined;
	/** requests of one tenant that are let in at the same time, by the application in front of the engine; the next is a 503 */
	inFlightPerTenant?: number | undefined;
	/** how often may be signed in within so many seconds, and by what that is counted; without it, as often as one likes */
	signInLimit?: { max: number; window: number; by: "address" | "tenant" } | undefined;
};

export const MANAGEMENT_KEY = "bench-management-key-0123456789abcdef";
export const PASSWORD = "correct horse battery";

/** Connections of a server to its database. */
export const POOL_SIZE = 10;
/** By which a proxy in front would say where somebody comes from. */
export const ADDRESS_HEADER = "x-forwarded-for";
