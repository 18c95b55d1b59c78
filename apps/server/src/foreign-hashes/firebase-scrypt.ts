import { createCipheriv, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { ForeignHash } from "./foreign-hash.ts";

/**
 * Firebase's scrypt, in the notation that Ory also uses: `$firescrypt$ln=14,r=8,p=1$salt$hash$separator$key`, where `ln` is the
 * memory cost, `r` the rounds and `key` the project's signer key, all of them base64. Firebase allows no more than these costs.
 */
const FORMAT =
	/^\$firescrypt\$ln=([1-9]|1[0-4]),r=([1-8]),p=1\$([\w+/-]{1,128}={0,2})\$([\w+/-]{16,256}={0,2})\$([\w+/-]{0,64}={0,2})\$([\w+/-]{16,256}={0,2})$/;

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

/** Reads a hash of Firebase Authentication. */
export const readFirebaseScrypt = (hash: string): ForeignHash | null => {
	const [, cost, rounds, ...parts] = FORMAT.exec(hash) ?? [];
	const [salt, expected, separator, signerKey] = parts.map(decode);
	if (!salt || !expected || !separator || !signerKey) return null;
	// the hash is the encrypted key
	if (expected.length !== signerKey.length) return null;
	const N = 2 ** Number(cost);
	const r = Number(rounds);
	return {
		verify: async (password) => {
			const options = { N, r, p: 1, maxmem: 256 * N * r };
			const key = await derive(password, Buffer.concat([salt, separator]), 32, options);
			// the counter begins at zero, and each derived key encrypts one text only
			const cipher = createCipheriv("aes-256-ctr", key, Buffer.alloc(16));
			return timingSafeEqual(Buffer.concat([cipher.update(signerKey), cipher.final()]), expected);
		},
		isCut: () => false,
	};
};

/** Base64 in one of its two alphabets. Null if other text would have the same bytes. */
const decode = (text: string): Buffer | null => {
	const bytes = Buffer.from(text, "base64");
	const plain = (one: string): string => one.replaceAll("=", "").replaceAll("-", "+").replaceAll("_", "/");
	return plain(bytes.toString("base64")) === plain(text) ? bytes : null;
};
