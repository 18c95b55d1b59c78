import { argon2, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { ForeignHash } from "./foreign-hash.ts";

/** The PHC string format, with version 1.3 (19) of Argon2: `$argon2id$v=19$m=65536,t=3,p=4$salt$hash`. */
const FORMAT =
	/^\$(argon2id|argon2i)\$v=19\$m=([1-9]\d{0,6}),t=([1-9]\d?),p=([1-9]\d?)\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{22,86})$/;

/** In KiB. Each hash that is verified at the same time takes this much. */
const MOST_MEMORY = 256 * 1024;
/** Memory that is filled in all passes together, in KiB. More would take seconds. */
const MOST_WORK = 1024 * 1024;
const MOST_LANES = 16;

/** Since Node 24.7. Before, these hashes are not accepted. */
const compute = typeof argon2 === "function" ? promisify(argon2) : null;

/** Reads a hash of Argon2id or Argon2i. */
export const readArgon2 = (hash: string): ForeignHash | null => {
	const [, algorithm, ...rest] = FORMAT.exec(hash) ?? [];
	const [memory, passes, parallelism] = rest.slice(0, 3).map(Number);
	const [nonce, expected] = rest.slice(3).map(decode);
	if (!compute || !memory || !passes || !parallelism || !nonce || !expected) return null;
	if (algorithm !== "argon2id" && algorithm !== "argon2i") return null;
	const isTooMuch = memory > MOST_MEMORY || memory * passes > MOST_WORK || parallelism > MOST_LANES;
	// Argon2 needs eight blocks for each lane
	if (isTooMuch || memory < 8 * parallelism) return null;
	return {
		verify: async (password) => {
			const cost = { memory, passes, parallelism, tagLength: expected.length };
			return timingSafeEqual(await compute(algorithm, { message: Buffer.from(password), nonce, ...cost }), expected);
		},
		isCut: () => false,
	};
};

/** Base64 without padding. Null if some text has no bytes, or other text would have the same. */
const decode = (text: string): Buffer | null => {
	const bytes = Buffer.from(text, "base64");
	return bytes.toString("base64").replaceAll("=", "") === text ? bytes : null;
};
