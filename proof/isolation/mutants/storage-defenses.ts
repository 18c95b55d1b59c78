import type { Defense } from "./defense.ts";

const file = "scope/storage.ts";

/** Redis keys contain the tenant. */
export const STORAGE_DEFENSES: Defense[] = [
	{
		id: "storage-prefix",
		name: "All tenants share one prefix in Redis",
		file,
		// biome-ignore lint/suspicious/noTemplateCurlyInString: the source itself
		find: "`${TENANT_PREFIX}${tenantId}:${key}`",
		// biome-ignore lint/suspicious/noTemplateCurlyInString: the source itself
		replace: "`${TENANT_PREFIX}${key}`",
		caughtBy: "model",
		redis: true,
		threats: [2, 43],
	},
	{
		id: "storage-scoped",
		name: "Redis is not scoped at all",
		file: "start-services.ts",
		find: "engineOptions.secondaryStorage = scopedStorage;",
		replace: "engineOptions.secondaryStorage = storage;",
		caughtBy: "model",
		redis: true,
		threats: [2, 43],
	},
	{
		id: "storage-get",
		name: "Reading from Redis omits the tenant",
		file,
		find: "storage.get(await own(key))",
		replace: "storage.get(key)",
		caughtBy: "model",
		redis: true,
		threats: [43],
	},
	{
		id: "storage-set",
		name: "Writing to Redis omits the tenant",
		file,
		find: "storage.set(await own(key), value, ttl)",
		replace: "storage.set(key, value, ttl)",
		caughtBy: "model",
		redis: true,
		threats: [43],
	},
	{
		id: "storage-delete",
		name: "Deleting from Redis omits the tenant, so that a session outlives its sign-out",
		file,
		find: "storage.delete(await own(key))",
		replace: "storage.delete(key)",
		caughtBy: "model",
		redis: true,
		threats: [41, 43],
	},
	{
		id: "storage-take",
		name: "Consuming a one-time value from Redis omits the tenant",
		file,
		find: "storage.getAndDelete(await own(key))",
		replace: "storage.getAndDelete(key)",
		caughtBy: "model",
		redis: true,
		threats: [2],
	},
	{
		id: "platform-keys",
		name: "A platform key may look like a tenant's",
		file,
		// biome-ignore lint/suspicious/noTemplateCurlyInString: the source itself
		find: "key.startsWith(TENANT_PREFIX) || key.startsWith(PLATFORM_PREFIX) ? `${PLATFORM_PREFIX}${key}` : key",
		replace: "key",
		caughtBy: "tests",
		files: ["test/scope/tag.test.ts"],
		named: "is one tenant's and one key's only",
		threats: [43],
	},
];
