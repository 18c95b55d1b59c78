import type { SecretConfig } from "@better-auth/core";
import { defineService } from "../../engine/service.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { PLATFORM } from "../pin/platform.ts";
import type { SessionsSince } from "../pin/tenant-state.ts";

export type TenantSecrets = { secret: string; secretConfig: string | SecretConfig };
type Limit = (config: TenantSecrets["secretConfig"]) => TenantSecrets["secretConfig"];

/**
 * Derives each tenant's secrets from the engine's. Values that the engine signs or encrypts for one tenant are invalid
 * in every other tenant. The platform keeps the engine's own secrets, so cookies of existing users stay valid.
 *
 * Uses HKDF (RFC 5869) with its own salt and info instead of HMAC(secret, label). A signed cookie is such an HMAC, so
 * an endpoint that signs a caller's value would reveal a tenant's secret.
 *
 * After a tenant's sessions were ended, it signs with another secret. What it stored encrypted stays readable: the engine
 * signs with `secret` and encrypts with `secretConfig`. `limit` decides what the engine opens with older versions.
 */
export const createTenantSecrets = (
	base: TenantSecrets,
	sessionsSince: SessionsSince | null = null,
	limit: Limit = (config) => config,
) => {
	const platform: TenantSecrets = { ...base, secretConfig: limit(base.secretConfig) };
	// limited, because anyone can send tags of tenants that do not exist
	const cache = new BoundedCache<TenantSecrets>({ maxSize: 10_000, maxAge: 3_600 });
	return async (tenantId: string): Promise<TenantSecrets> => {
		if (tenantId === PLATFORM) return platform;
		const since = sessionsSince && (await sessionsSince(tenantId));
		const key = since === null ? tenantId : `${tenantId} ${since}`;
		const known = cache.get(key);
		if (known) return known;
		const derived = {
			secret: await signingSecret(await deriveTenantSecret(base.secret, tenantId), since),
			secretConfig: limit(await deriveConfig(base.secretConfig, tenantId)),
		};
		cache.set(key, derived);
		return derived;
	};
};

const utf8 = new TextEncoder();

/** Derives one tenant's secret from a secret of the engine. */
export const deriveTenantSecret = (secret: string, tenantId: string): Promise<string> =>
	derive(secret, `tenant:${tenantId}`);

/** Derives the secret that a tenant signs with from the tenant's own. It is the same until sessions are ended. */
export const signingSecret = async (own: string, since: number | null): Promise<string> =>
	since === null ? own : derive(own, `sessions-since:${since}`);

const derive = async (secret: string, info: string): Promise<string> => {
	const key = await crypto.subtle.importKey("raw", utf8.encode(secret), "HKDF", false, ["deriveBits"]);
	const bits = await crypto.subtle.deriveBits(
		{
			name: "HKDF",
			hash: "SHA-256",
			salt: utf8.encode("better-auth-tenants:secret:v1"),
			info: utf8.encode(info),
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

/** A tenant's secrets, to sign a cookie for a tenant other than the request's. */
export const tenantSecretsOf = defineService<ReturnType<typeof createTenantSecrets>>("secrets");

/** The application's secrets that verify, each once: with `verifyWithAllSecrets: false` only the first. */
export const verifyingSecretsOf = defineService<readonly string[]>("verifyingSecrets");
