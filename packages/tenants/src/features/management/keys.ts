import { BetterAuthError } from "@better-auth/core/error";
import { constantTimeEqual } from "better-auth/crypto";
import { sha256, sha256Beginning } from "../../lib/sha256.ts";

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

const MIN_LENGTH = 32;

/** Throws if a key could not work or is too short. Never repeats a key, because the message may be logged. */
export const checkKeys = (keys: unknown): void => {
	const problem = Array.isArray(keys)
		? keys.map(problemOf).find((found) => found !== null)
		: "management.keys must be an array, such as [process.env.MANAGEMENT_KEY].";
	if (problem)
		throw new BetterAuthError(
			`tenantAuth: ${problem} A management key has at least ${MIN_LENGTH} characters. Create one with \`openssl rand -base64 32\`.`,
		);
};

const problemOf = (key: unknown, index: number): string | null => {
	const name = `management.keys[${index}]`;
	if (key === undefined || key === null || key === "")
		return `${name} is ${key === "" ? "empty" : key}. Set the environment variable that it is read from.`;
	if (typeof key !== "string") return `${name} must be a string.`;
	// a header's value is trimmed, so such a key would never match
	if (key !== key.trim())
		return `${name} begins or ends with white space, for example a line break of a file. Trim it.`;
	return key.length < MIN_LENGTH ? `${name} has ${key.length} characters.` : null;
};
