import { verify } from "@node-rs/bcrypt";
import type { ForeignHash } from "./foreign-hash.ts";

/**
 * `$2b$10$`, 22 characters of salt and 31 of the hash. 2a, 2b and 2y name the same algorithm; 2x names one with a fault. A cost
 * above 14 would take seconds. The last characters of both parts have unused bits, which must be zero.
 */
const FORMAT = /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/;

/** bcrypt reads a password up to its first NUL, and no more than 72 bytes of it. */
const LONGEST = 72;

/** Reads a bcrypt hash, as Auth0 and Clerk export them. */
export const readBcrypt = (hash: string): ForeignHash | null => {
	if (!FORMAT.test(hash)) return null;
	return {
		// runs in Node's thread pool
		verify: (password) => verify(cut(password), hash),
		isCut: (password) => cut(password).length < Buffer.byteLength(password),
	};
};

const cut = (password: string): Buffer => {
	const bytes = Buffer.from(password);
	const end = bytes.indexOf(0);
	return bytes.subarray(0, Math.min(end < 0 ? bytes.length : end, LONGEST));
};
