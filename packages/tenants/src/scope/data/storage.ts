import type { SecondaryStorage } from "@better-auth/core/db";
import { BetterAuthError } from "@better-auth/core/error";
import { withoutUserId } from "../../engine/revocation-time.ts";
import { PLATFORM } from "../pin/platform.ts";
import type { TenantContext } from "../pin/tenant-context.ts";

const TENANT_PREFIX = "tenant:";
const PLATFORM_PREFIX = `${PLATFORM}:`;

/** The beginning of the engine's keys for verifications. The identifier follows. */
export const VERIFICATION = "verification:";

/** The key of a tenant's value in the shared storage. The platform's keys have no prefix. */
export const storageKey = (tenantId: string, key: string): string => {
	if (tenantId !== PLATFORM) return `${TENANT_PREFIX}${tenantId}:${key}`;
	// a platform key that looks like a tenant's key needs a prefix
	return key.startsWith(TENANT_PREFIX) || key.startsWith(PLATFORM_PREFIX) ? `${PLATFORM_PREFIX}${key}` : key;
};

/** The key of a value that the engine stores for a tenant. The platform's are stored as the engine names them. */
export const engineKey = async (tenantId: string, key: string): Promise<string> =>
	storageKey(tenantId, tenantId === PLATFORM ? key : await withoutUserId(key));

/**
 * The beginning of every key of a tenant, and of no other key: it ends in a character that no tenant id contains. The
 * platform has none, so whoever asks for it would get the keys of all tenants.
 */
export const storagePrefix = (tenantId: string): string => {
	if (tenantId === PLATFORM) throw new BetterAuthError("tenantAuth: the keys of the platform have no prefix");
	return storageKey(tenantId, "");
};

type Counting = Pick<SecondaryStorage, "increment">;
type AssertOpen = () => Promise<void> | undefined;

/** The key in the current tenant. Throws in a tenant of `runWithTenant` that is not open. */
const keyIn =
	(pin: TenantContext, assertOpen: AssertOpen) =>
	async (key: string): Promise<string> => {
		await assertOpen();
		return engineKey(pin.current(), key);
	};

/** Lets each tenant have counters of its own. */
export const scopeCounters = <Own extends Counting>(counters: Own, pin: TenantContext, assertOpen: AssertOpen): Own => {
	const own = keyIn(pin, assertOpen);
	return { ...counters, increment: async (key: string, ttl: number) => counters.increment(await own(key), ttl) };
};

/** Scopes the engine's secondary storage to the current tenant. */
export const scopeStorage = (
	storage: SecondaryStorage,
	pin: TenantContext,
	assertOpen: AssertOpen,
): SecondaryStorage => {
	const own = keyIn(pin, assertOpen);
	return {
		...storage,
		get: async (key) => storage.get(await own(key)),
		getAndDelete: async (key) => storage.getAndDelete(await own(key)),
		set: async (key, value, ttl) => storage.set(await own(key), value, ttl),
		delete: async (key) => storage.delete(await own(key)),
		// used by the rate limiter, before the tenant is known
		increment: async (key, ttl) => storage.increment(await own(key), ttl),
	};
};
