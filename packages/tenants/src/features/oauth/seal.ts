import type { SecretConfig } from "@better-auth/core";
import { parseEnvelope, symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";

/** Where an encrypted value is stored. A value can be decrypted only in its own place. */
export type SealedPlace = {
	tenantId: string;
	providerId: string;
	field: "clientId" | "clientSecret" | "options" | "oidcConfig" | "samlConfig";
};

export type Opened = {
	value: string;
	/** id of the write that stored the value; encrypting it again does not change this */
	write: string;
};

/**
 * Encrypts credentials with Better Auth's secret. The engine's encryption takes no associated data, so a ciphertext that
 * is copied to another row could be decrypted there. So the place is encrypted with the value, and compared.
 */
export const createSeal = (key: string | SecretConfig) => ({
	close: (place: SealedPlace, { value, write }: Opened): Promise<string> =>
		symmetricEncrypt({ key, data: JSON.stringify({ v: 1, ...place, write, value }) }),

	/** Decrypts a value. Null if no secret decrypts it or it belongs to another place. */
	open: async (place: SealedPlace, sealed: string): Promise<Opened | null> => {
		try {
			const inside: unknown = JSON.parse(await symmetricDecrypt({ key, data: sealed }));
			return isSealed(inside) &&
				inside.tenantId === place.tenantId &&
				inside.providerId === place.providerId &&
				inside.field === place.field
				? { value: inside.value, write: inside.write }
				: null;
		} catch {
			return null;
		}
	},

	/** Whether a value is encrypted with the current secret. */
	isCurrent: (sealed: string): boolean => isSealedWith(key, sealed),
});

/** Whether a value names the current version of a key, or none if the key has no versions. */
export const isSealedWith = (key: string | SecretConfig, sealed: string): boolean => {
	const version = parseEnvelope(sealed)?.version;
	return typeof key === "string" ? version === undefined : version === key.currentVersion;
};

export type Seal = ReturnType<typeof createSeal>;

const isSealed = (inside: unknown): inside is SealedPlace & Opened =>
	typeof inside === "object" &&
	inside !== null &&
	"v" in inside &&
	inside.v === 1 &&
	"value" in inside &&
	typeof inside.value === "string" &&
	"write" in inside &&
	typeof inside.write === "string";
