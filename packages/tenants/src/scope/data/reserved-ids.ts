import { BetterAuthError } from "@better-auth/core/error";
import { sha256, sha256Beginning } from "../../lib/sha256.ts";

/** The engine's reserved names are SHA-256 hashes in base64url. The OAuth provider uses the first 24 bytes. */
const NAMES: Record<string, RegExp> = { verification: /^[\w-]{43}$/, oauthClientAssertion: /^[\w-]{32}$/ };
/**
 * Since Better Auth 1.7.18 the same names are UUIDs of version 5 if the application's ids are UUIDs. Random ids have
 * version 4.
 */
const UUID_NAME = /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** Since Better Auth 1.7.22 the same names are ObjectIds if Prisma says that the column has such ids (MongoDB). */
const OBJECT_ID_NAME = /^[\da-f]{24}$/;

/** Whether a stored row marks a name as used, so that it must outlast everything that could be used again. */
export const marksUsedName = (id: string): boolean => UUID_NAME.test(id);

export type ReservedIds = ReturnType<typeof createReservedIds>;

/**
 * The engine marks a name (a SAML assertion, a jti) as used by creating a verification row whose primary key is the
 * hash of that name. Primary keys are global, so without the tenant in the hash one tenant could block another tenant's
 * names. Other ids are random and stay unchanged.
 *
 * The key is a UUID, except in a column of ObjectIds. The engine's own key is too long for MySQL's column. If the
 * application uses UUIDs or numbers as ids, the engine replaces the key with a random one: then nothing is marked, and an
 * assertion can be used twice.
 */
export const createReservedIds = (generateId: unknown) => {
	const isUuidName = (id: string): boolean => generateId === "uuid" && UUID_NAME.test(id);
	const isNamed = (table: string, id: unknown): id is string =>
		typeof id === "string" &&
		NAMES[table] !== undefined &&
		(NAMES[table].test(id) || isUuidName(id) || OBJECT_ID_NAME.test(id));
	const idOf = async <Value>(table: string, tenantId: string, id: Value): Promise<Value | string> => {
		if (!isNamed(table, id)) return id;
		if (generateId === "serial") throw cannotReserve();
		const name = `${tenantId}\0${id}`;
		return OBJECT_ID_NAME.test(id) ? sha256Beginning(await sha256(name), 12) : uuidOf(name);
	};
	return {
		/** Whether rows of this table can have such names. */
		isIn: (table: string): boolean => NAMES[table] !== undefined,
		/** The id under which a row with this name, or this id, is stored. */
		idOf,
		/** The ids under which a row with this name may be stored. Null if the id is not such a name. */
		idsOf: async (table: string, tenantId: string, id: unknown): Promise<string[] | null> => {
			if (!isNamed(table, id)) return null;
			const named = await idOf(table, tenantId, id);
			// a column of UUIDs cannot be compared with anything else; a stored row is also looked up by its own id
			return generateId === "uuid" && !isUuidName(id) ? [named] : [id, named];
		},
	};
};

/** A custom UUID (RFC 9562, section 5.8), with a version number that the engine accepts. */
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
		'tenantAuth: with advanced.database.generateId "serial", Better Auth cannot detect a reused SAML assertion or jti. Use "uuid" or remove the option.',
	);
