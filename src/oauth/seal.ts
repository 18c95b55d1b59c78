import type { SecretConfig } from "@better-auth/core";
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";

/** Where a sealed value lies. A value opens only in its own place. */
export type SealedPlace = { tenantId: string; providerId: string; field: "clientId" | "clientSecret" | "options" };

/**
 * Seals credentials with the engine's auth secret. The engine's encryption takes no associated data, so a ciphertext
 * copied from another row would open there; the place is therefore sealed in with the value, and compared.
 */
export const createSeal = (key: string | SecretConfig) => ({
	close: (place: SealedPlace, value: string): Promise<string> =>
		symmetricEncrypt({ key, data: JSON.stringify({ v: 1, ...place, value }) }),

	/** Null when it does not open or was sealed for another place. */
	open: async (place: SealedPlace, sealed: string): Promise<string | null> => {
		try {
			const inside: unknown = JSON.parse(await symmetricDecrypt({ key, data: sealed }));
			return isSealed(inside) &&
				inside.tenantId === place.tenantId &&
				inside.providerId === place.providerId &&
				inside.field === place.field
				? inside.value
				: null;
		} catch {
			return null;
		}
	},
});

export type Seal = ReturnType<typeof createSeal>;

const isSealed = (inside: unknown): inside is SealedPlace & { value: string } =>
	typeof inside === "object" &&
	inside !== null &&
	"value" in inside &&
	typeof inside.value === "string" &&
	"v" in inside &&
	inside.v === 1;
