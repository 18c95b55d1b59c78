import { constantTimeEqual } from "better-auth/crypto";

/** Finds the management key that a request carries, and answers its name: the beginning of its digest. */
export const createKeyRing = (keys: readonly string[]) => {
	const digests = Promise.all(keys.map(digest));
	return async (headers: Headers): Promise<string | null> => {
		const header = headers.get("authorization") ?? "";
		if (header.slice(0, 7).toLowerCase() !== "bearer ") return null;
		const sent = await digest(header.slice(7).trim());
		// digests are compared, not keys: equal lengths, and time that says nothing about the key
		let found = false;
		for (const known of await digests) if (constantTimeEqual(known, sent)) found = true;
		return found ? fingerprint(sent) : null;
	};
};

const digest = async (key: string): Promise<Uint8Array<ArrayBuffer>> =>
	new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)));

/** 48 bits: enough to tell keys apart, and nothing to find a random key by. */
const fingerprint = (digested: Uint8Array): string =>
	[...digested.subarray(0, 6)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
