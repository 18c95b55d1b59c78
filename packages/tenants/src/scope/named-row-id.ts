import { BetterAuthError } from "@better-auth/core/error";
import { sha256, sha256Beginning } from "../sha256.ts";

/** The engine's reserved names are SHA-256 in base64url, the OAuth provider's the first 24 bytes of one. */
const NAMES: Record<string, RegExp> = { verification: /^[\w-]{43}$/, oauthClientAssertion: /^[\w-]{32}$/ };
const isNamed = (table: string, id: unknown): id is string => typeof id === "string" && NAMES[table]?.test(id) === true;

export type NamedRows = ReturnType<typeof createNamedRows>;

/**
 * The engine reserves a name once (a SAML assertion, a jti) by making a verification row whose primary key is the hash
 * of that name. Primary keys are global, so without the tenant in the hash one tenant could take another's names.
 * Other ids are random and pass through.
 *
 * The key is a UUID, whatever kind of ids the application has. The engine's own does not fit MySQL's column, and where ids
 * are UUIDs or numbers the engine replaces it by a random one: then nothing is reserved, and an assertion is good twice.
 */
export const createNamedRows = (generateId: unknown) => {
	const idOf = async <Value>(table: string, tenantId: string, id: Value): Promise<Value | string> => {
		if (!isNamed(table, id)) return id;
		if (generateId === "serial") throw cannotReserve();
		return uuidOf(`${tenantId}\0${id}`);
	};
	return {
		/** The id under which a row with this name, or this id, is stored. */
		idOf,
		/** The ids under which such a row may lie; null where the id is its own. */
		idsOf: async (table: string, tenantId: string, id: unknown): Promise<string[] | null> => {
			if (!isNamed(table, id)) return null;
			const named = await idOf(table, tenantId, id);
			// a column of UUIDs cannot be compared with anything else
			return generateId === "uuid" ? [named] : [id, named];
		},
	};
};

/** RFC 9562, section 5.8, with the version that the engine takes for a UUID. */
const uuidOf = async (name: string): Promise<string> => {
	const hex = sha256Beginning(await sha256(name), 16);
	const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
	return [
		hex.slice(0, 8),
		hex.slice(8, 12),
		`5${hex.slice(13, 16)}`,
		variant + hex.slice(17, 20),
		hex.slice(20, 32),
	].join("-");
};

const cannotReserve = () =>
	new BetterAuthError(
		'tenantAuth: with advanced.database.generateId "serial", Better Auth cannot tell whether a SAML assertion or a jti was used before. Use "uuid" or leave it out.',
	);
