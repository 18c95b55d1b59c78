import type { SecretConfig } from "@better-auth/core";
import { BoundedCache } from "./bounded-cache.ts";
import { PLATFORM } from "./platform.ts";

export type TenantSecrets = { secret: string; secretConfig: string | SecretConfig };

/**
 * Derives each tenant's secrets from the engine's. Values that the engine signs or encrypts for one tenant are invalid
 * in every other tenant. The platform keeps the engine's own secrets, so cookies of existing users stay valid.
 *
 * Uses HKDF (RFC 5869) with its own salt and info instead of HMAC(secret, label). A signed cookie is such an HMAC, so
 * an endpoint that signs a caller's value would reveal a tenant's secret.
 */
export const createTenantSecrets = (base: TenantSecrets) => {
	// limited, because anyone can send tags of tenants that do not exist
	const cache = new BoundedCache<TenantSecrets>({ maxSize: 10_000, maxAge: 3_600 });
	return async (tenantId: string): Promise<TenantSecrets> => {
		if (tenantId === PLATFORM) return base;
		const known = cache.get(tenantId);
		if (known) return known;
		const derived = {
			secret: await deriveTenantSecret(base.secret, tenantId),
			secretConfig: await deriveConfig(base.secretConfig, tenantId),
		};
		cache.set(tenantId, derived);
		return derived;
	};
};

const utf8 = new TextEncoder();

/** Derives one tenant's secret from a secret of the engine. */
export const deriveTenantSecret = async (secret: string, tenantId: string): Promise<string> => {
	const key = await crypto.subtle.importKey("raw", utf8.encode(secret), "HKDF", false, ["deriveBits"]);
	const bits = await crypto.subtle.deriveBits(
		{
			name: "HKDF",
			hash: "SHA-256",
			salt: utf8.encode("better-auth-tenants:secret:v1"),
			info: utf8.encode(`tenant:${tenantId}`),
		},
		key,
		256,
	);
	return btoa(String.fromCharCode(...new Uint8Array(bits)));
};

const deriveConfig = async (config: string | SecretConfig, tenantId: string): Promise<string | SecretConfig> => {
	if (typeof config === "string") return deriveTenantSecret(config, tenantId);
	const keys = new Map<number, string>();
	for (const [version, secret] of config.keys) keys.set(version, await deriveTenantSecret(secret, tenantId));
	const legacySecret = config.legacySecret && (await deriveTenantSecret(config.legacySecret, tenantId));
	return { ...config, keys, ...(legacySecret ? { legacySecret } : {}) };
};
