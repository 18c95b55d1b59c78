import type { SecretConfig } from "@better-auth/core";
import { importSigningKey, type SigningKeys } from "../engine/signed-again.ts";
import { PLATFORM } from "./platform.ts";
import type { createTenantSecrets, TenantSecrets } from "./secrets.ts";

/** Finds the keys of a tenant's configured secrets. */
export type SecretVersions = (tenantId: string) => Promise<SigningKeys>;

/**
 * The keys of all configured versions of a tenant's secret. Null if there is only one version, so that nothing has to be
 * verified a second time.
 */
export const createSecretVersions = (
	base: TenantSecrets,
	secrets: ReturnType<typeof createTenantSecrets>,
): SecretVersions | null => {
	if (otherSecrets(base).length === 0) return null;
	// a tenant that was evicted from the cache of secrets is evicted here too
	const imported = new WeakMap<TenantSecrets, Promise<SigningKeys>>();
	return async (tenantId) => {
		const own = tenantId === PLATFORM ? base : await secrets(tenantId);
		const known = imported.get(own) ?? importAll(own);
		imported.set(own, known);
		return known;
	};
};

const importAll = async (own: TenantSecrets): Promise<SigningKeys> => ({
	current: await importSigningKey(own.secret),
	others: await Promise.all(otherSecrets(own).map(importSigningKey)),
});

/** The configured secrets that do not sign, each once. */
const otherSecrets = ({ secret, secretConfig }: TenantSecrets): string[] =>
	typeof secretConfig === "string" ? [] : [...new Set(allSecrets(secretConfig))].filter((value) => value !== secret);

const allSecrets = ({ keys, legacySecret }: SecretConfig): string[] => [
	...keys.values(),
	...(legacySecret ? [legacySecret] : []),
];
