import type { SecondaryStorage } from "@better-auth/core/db";
import { noticingFailures } from "./outage.ts";
import { PLATFORM } from "./platform.ts";
import type { TenantContext } from "./tenant-context.ts";

const TENANT_PREFIX = "tenant:";
const PLATFORM_PREFIX = `${PLATFORM}:`;

/** The key under which a tenant's value lies in the shared storage. The platform's keys stay what they were before. */
export const storageKey = (tenantId: string, key: string): string => {
	if (tenantId !== PLATFORM) return `${TENANT_PREFIX}${tenantId}:${key}`;
	// a platform key that looks like a tenant's must not become one
	return key.startsWith(TENANT_PREFIX) || key.startsWith(PLATFORM_PREFIX) ? `${PLATFORM_PREFIX}${key}` : key;
};

/** The engine's secondary storage, seen from one tenant. */
export const scopeStorage = (storage: SecondaryStorage, pin: TenantContext): SecondaryStorage => {
	const own = (key: string) => storageKey(pin.current(), key);
	return noticingFailures({
		...storage,
		get: (key) => storage.get(own(key)),
		getAndDelete: (key) => storage.getAndDelete(own(key)),
		set: (key, value, ttl) => storage.set(own(key), value, ttl),
		delete: (key) => storage.delete(own(key)),
		// counts for the rate limiter, before any tenant is known
		increment: (key, ttl) => storage.increment(own(key), ttl),
	});
};
