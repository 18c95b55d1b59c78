import type { SecretConfig } from "@better-auth/core";
import { parseEnvelope, symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";

/** Where a sealed value lies. A value opens only in its own place. */
export type SealedPlace = {
	tenantId: string;
	providerId: string;
	field: "clientId" | "clientSecret" | "options" | "oidcConfig" | "samlConfig";
};

export type Opened = {
	value: string;
	/** names the write that stored it; the same after it was sealed anew */
	write: string;
};

/**
 * Seals credentials with the engine's auth secret. The engine's encryption takes no associated data, so a ciphertext
 * copied from another row would open there; the place is therefore sealed in with the value, and compared.
 */
export const createSeal = (key: string | SecretConfig) => ({
	close: (place: SealedPlace, { value, write }: Opened): Promise<string> =>
		symmetricEncrypt({ key, data: JSON.stringify({ v: 1, ...place, write, value }) }),

	/** Null when it does not open or was sealed for another place. */
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

	/** Whether a value is sealed with the secret that new ones are sealed with. */
	isCurrent: (sealed: string): boolean => {
		const version = parseEnvelope(sealed)?.version;
		return typeof key === "string" ? version === undefined : version === key.currentVersion;
	},
});

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
