import { constantTimeEqual } from "better-auth/crypto";
import { sha256, sha256Beginning } from "../sha256.ts";

/** Finds the management key of a request. Returns its name, which is the start of its digest, or null. */
export const createKeyRing = (keys: readonly string[]) => {
	const digests = Promise.all(keys.map(sha256));
	return async (headers: Headers): Promise<string | null> => {
		const header = headers.get("authorization") ?? "";
		if (header.slice(0, 7).toLowerCase() !== "bearer ") return null;
		const sent = await sha256(header.slice(7).trim());
		// compares digests, not keys: their lengths are equal, and the time reveals nothing about the key
		let found = false;
		for (const known of await digests) if (constantTimeEqual(known, sent)) found = true;
		// 48 bits are enough to tell keys apart and too few to find a random key
		return found ? sha256Beginning(sent, 6) : null;
	};
};
