import { constantTimeEqual } from "better-auth/crypto";
import { sha256, sha256Beginning } from "../sha256.ts";

/** Finds the management key that a request carries, and answers its name: the beginning of its digest. */
export const createKeyRing = (keys: readonly string[]) => {
	const digests = Promise.all(keys.map(sha256));
	return async (headers: Headers): Promise<string | null> => {
		const header = headers.get("authorization") ?? "";
		if (header.slice(0, 7).toLowerCase() !== "bearer ") return null;
		const sent = await sha256(header.slice(7).trim());
		// digests are compared, not keys: equal lengths, and time that says nothing about the key
		let found = false;
		for (const known of await digests) if (constantTimeEqual(known, sent)) found = true;
		// 48 bits: enough to tell keys apart, and nothing to find a random key by
		return found ? sha256Beginning(sent, 6) : null;
	};
};
