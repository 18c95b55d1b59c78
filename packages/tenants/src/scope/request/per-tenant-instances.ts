import type { AuthContext } from "@better-auth/core";
import { getCurrentDBAdapterAsyncLocalStorage } from "@better-auth/core/context";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { keepSchemaCheck } from "../../engine/schema-check.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { PLATFORM } from "../pin/platform.ts";
import type { SessionsSince } from "../pin/tenant-state.ts";

type TenantInstances = Pick<AuthContext, "adapter" | "getPlugin">;

/**
 * Creates one adapter object and one jwt plugin object per tenant, because plugins cache data by object identity. The
 * OAuth provider caches seeded resources by adapter, and verification keys by jwt plugin. With shared instances, a token
 * of one tenant would be valid in all tenants. A tenant whose sessions were ended has new keys, so it gets new instances.
 */
export const createTenantInstances = (
	adapter: DBAdapter,
	getPlugin: AuthContext["getPlugin"],
	sessionsSince: SessionsSince | null = null,
) => {
	// a tenant that was evicted gets new instances, and plugins load their cached data again
	const known = new BoundedCache<TenantInstances>({ maxSize: 2_000, maxAge: 3_600 });
	const createdHere = new WeakSet<object>([adapter]);
	const make = (tenantId: string): TenantInstances => {
		const jwt = getPlugin("jwt");
		const own = jwt && { ...jwt, options: withOwnKeys(jwt.options, tenantId) };
		const copy = copyAdapter(adapter);
		createdHere.add(copy);
		return {
			adapter: copy,
			getPlugin: ((id: string) => (id === "jwt" ? own : getPlugin(id))) as AuthContext["getPlugin"],
		};
	};
	const instancesOf = (tenantId: string, since: number | null): TenantInstances => {
		if (tenantId === PLATFORM) return { adapter, getPlugin };
		const key = since === null ? tenantId : `${tenantId} ${since}`;
		const instances = known.get(key) ?? make(tenantId);
		known.set(key, instances);
		return instances;
	};
	let adapters: Awaited<ReturnType<typeof getCurrentDBAdapterAsyncLocalStorage>> | undefined;
	return async (tenantId: string): Promise<TenantInstances> => {
		const instances = instancesOf(tenantId, sessionsSince && (await sessionsSince(tenantId)));
		adapters ??= await getCurrentDBAdapterAsyncLocalStorage();
		// the SCIM plugin treats any adapter other than the context's as a running transaction
		const running = adapters.getStore();
		if (running && !running.isTransactionActive && createdHere.has(running.adapter))
			running.adapter = instances.adapter;
		return instances;
	};
};

type KeyOptions = { jwks?: { jwksPath?: string | undefined } | undefined };

/** The OAuth provider builds its JWKS URL from this path, for its metadata and to verify ID tokens. */
const withOwnKeys = <Options extends KeyOptions>(options: Options | undefined, tenantId: string) => ({
	...options,
	jwks: { ...options?.jwks, jwksPath: `${options?.jwks?.jwksPath ?? "/jwks"}?tenantId=${tenantId}` },
});

const copyAdapter = (adapter: DBAdapter): DBAdapter => keepSchemaCheck(adapter, { ...adapter });
