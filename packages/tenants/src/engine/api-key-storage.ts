import type { Where } from "@better-auth/core/db/adapter";

/** The beginning of all keys of the API key plugin in the secondary storage. */
export const API_KEYS = "api-key:";

/** What follows for keys by their id, and for lists of keys. Otherwise the hash of a key follows. */
const OTHERS = ["by-id:", "by-ref:"];

/** Whether the plugin reads an API key in the storage to use it. By its id, it reads a key to manage it. */
export const isApiKeyUse = (name: string): boolean =>
	name.startsWith(API_KEYS) && !OTHERS.some((other) => name.startsWith(API_KEYS + other));

/** Whether the plugin reads an API key in the database to use it. */
export const isApiKeyLookup = (where: Where[]): boolean => where.some(({ field }) => field === "key");

/** Reads a stored API key. A storage may return a text or the parsed value. */
export const apiKeyOf = (stored: unknown): Record<string, unknown> | null => {
	try {
		const value: unknown = typeof stored === "string" ? JSON.parse(stored) : stored;
		return value && typeof value === "object" && "referenceId" in value ? { ...value } : null;
	} catch {
		return null;
	}
};
