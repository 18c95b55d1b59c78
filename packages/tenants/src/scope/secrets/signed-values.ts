import { importSigningKey, isSignedCookie } from "../../engine/re-sign.ts";
import { defineService } from "../../engine/service.ts";
import { valueOfSigned } from "../../engine/signed-value.ts";
import type { SecretVersions } from "./secret-versions.ts";
import type { createTenantSecrets } from "./secrets.ts";

/** Reads the value of a cookie that a tenant signed. Null if none of its secrets signed it. */
export type SignedValues = (tenantId: string, signed: string) => Promise<string | null>;

/** Reads a signed cookie of a tenant other than the request's. */
export const signedValuesOf = defineService<SignedValues>("signedValue");

/** For cookies of a tenant other than the request's. Better Auth reads those of the request's own. */
export const createSignedValues =
	(secrets: ReturnType<typeof createTenantSecrets>, versions: SecretVersions | null): SignedValues =>
	async (tenantId, signed) => {
		const keys = versions
			? await versions(tenantId)
			: { current: await importSigningKey((await secrets(tenantId)).secret), others: [] };
		return (await isSignedCookie(keys, signed)) ? valueOfSigned(signed) : null;
	};
