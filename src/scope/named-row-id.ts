import { sha256Text } from "../sha256.ts";

/** The engine's reserved names are SHA-256 in base64url, the OAuth provider's the first 24 bytes of one. */
const NAMES: Record<string, RegExp> = { verification: /^[\w-]{43}$/, oauthClientAssertion: /^[\w-]{32}$/ };
const isNamed = (table: string, id: unknown): id is string => typeof id === "string" && NAMES[table]?.test(id) === true;

/**
 * The engine reserves a name once (a SAML assertion, a jti) by making a verification row whose primary key is the hash
 * of that name. Primary keys are global, so without the tenant in the hash one tenant could take another's names.
 * Other ids are random and pass through.
 */
export const namedRowId = async <Value>(table: string, tenantId: string, id: Value): Promise<Value | string> => {
	if (!isNamed(table, id)) return id;
	const hash = await sha256Text(`${tenantId}\0${id}`);
	// the dot tells it from an id that an application's own generator made as long
	return `.${hash.slice(0, id.length - 1)}`;
};

/** The ids under which a row with this name, or this id, may lie. */
export const namedRowIds = async (table: string, tenantId: string, id: unknown): Promise<string[] | null> =>
	isNamed(table, id) ? [id, await namedRowId(table, tenantId, id)] : null;
