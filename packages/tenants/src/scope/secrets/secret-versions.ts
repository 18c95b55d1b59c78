import type { SecretConfig } from "@better-auth/core";
import { importSigningKey, type SigningKeys } from "../../engine/re-sign.ts";
import { PLATFORM } from "../pin/platform.ts";
import type { SessionsSince } from "../pin/tenant-state.ts";
import { type createTenantSecrets, signingSecret, type TenantSecrets } from "./secrets.ts";

/** Finds the keys of a tenant's configured secrets. */
export type SecretVersions = (tenantId: string) => Promise<SigningKeys>;

/**
 * The keys of all configured versions of a tenant's secret. Null if there is only one version, so that nothing has to be
 * verified a second time.
 */
export const createSecretVersions = (
	base: TenantSecrets,
	secrets: ReturnType<typeof createTenantSecrets>,
	sessionsSince: SessionsSince | null = null,
): SecretVersions | null => {
	if (otherSecrets(base, allSecrets(base)).length === 0) return null;
	// a tenant that was evicted from the cache of secrets is evicted here too
	const imported = new WeakMap<TenantSecrets, Promise<SigningKeys>>();
	return async (tenantId) => {
		const own = tenantId === PLATFORM ? base : await secrets(tenantId);
		const since = sessionsSince && (await sessionsSince(tenantId));
		const known = imported.get(own) ?? importAll(own, since);
		imported.set(own, known);
		return known;
	};
};

const importAll = async (own: TenantSecrets, since: number | null): Promise<SigningKeys> => {
	// without the time, every secret would verify what was signed before the sessions were ended
	const signing = await Promise.all(allSecrets(own).map((secret) => signingSecret(secret, since)));
	return {
		current: await importSigningKey(own.secret),
		others: await Promise.all(otherSecrets(own, signing).map(importSigningKey)),
	};
};

/** The secrets that verify and do not sign, each once. */
const otherSecrets = ({ secret }: TenantSecrets, all: string[]): string[] =>
	[...new Set(all)].filter((value) => value !== secret);

/** All configured secrets, if there are several. */
export const allSecrets = ({ secretConfig }: { secretConfig: string | SecretConfig }): string[] =>
	typeof secretConfig === "string"
		? []
		: [...secretConfig.keys.values(), ...(secretConfig.legacySecret ? [secretConfig.legacySecret] : [])];
