import { readArgon2 } from "./argon2.ts";
import { readBcrypt } from "./bcrypt.ts";
import { readFirebaseScrypt } from "./firebase-scrypt.ts";
import type { ForeignHash } from "./foreign-hash.ts";

/** Better Auth's own hashes, `salt:key` of its scrypt. They never begin like those of other systems. */
const OWN = /^[0-9a-f]{32}:[0-9a-f]{128}$/;

/** Whether a hash was made by another system, readable or not. */
export const isForeign = (hash: string): boolean => hash.startsWith("$");

/** Reads the hash of another system. Null if it is malformed, or would cost too much to verify. */
export const readForeignHash = (hash: string): ForeignHash | null =>
	readBcrypt(hash) ?? readArgon2(hash) ?? readFirebaseScrypt(hash);

/** Whether a user with this hash could sign in. Decides which users can be imported. */
export const acceptsPasswordHash = (hash: string): boolean => OWN.test(hash) || readForeignHash(hash) !== null;
