import type { AuthContext } from "@better-auth/core";
import { getCurrentDBAdapterAsyncLocalStorage } from "@better-auth/core/context";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { registerSchemaCheck, runtimeSchemaCheckFor, schemaCheckFor } from "@better-auth/core/db/internal";
import { BoundedCache } from "./bounded-cache.ts";
import { PLATFORM } from "./platform.ts";

type TenantObjects = Pick<AuthContext, "adapter" | "getPlugin">;

/**
 * One adapter and one jwt plugin object for each tenant. Plugins remember things by their identity: the OAuth provider
 * which resources it has seeded (by adapter) and the keys it verifies tokens with (by the jwt plugin). Shared, a token of
 * one tenant was good in all of them.
 */
export const createTenantObjects = (adapter: DBAdapter, getPlugin: AuthContext["getPlugin"]) => {
	// a tenant that was forgotten gets new objects, and what they stood for is loaded again
	const known = new BoundedCache<TenantObjects>({ maxSize: 2_000, maxAge: 3_600 });
	const ours = new WeakSet<object>([adapter]);
	const make = (tenantId: string): TenantObjects => {
		const jwt = getPlugin("jwt");
		const own = jwt && { ...jwt, options: withOwnKeys(jwt.options, tenantId) };
		const made = sameAdapter(adapter);
		ours.add(made);
		return {
			adapter: made,
			getPlugin: ((id: string) => (id === "jwt" ? own : getPlugin(id))) as AuthContext["getPlugin"],
		};
	};
	const objectsOf = (tenantId: string): TenantObjects => {
		if (tenantId === PLATFORM) return { adapter, getPlugin };
		const objects = known.get(tenantId) ?? make(tenantId);
		known.set(tenantId, objects);
		return objects;
	};
	let adapters: Awaited<ReturnType<typeof getCurrentDBAdapterAsyncLocalStorage>> | undefined;
	return async (tenantId: string): Promise<TenantObjects> => {
		const objects = objectsOf(tenantId);
		adapters ??= await getCurrentDBAdapterAsyncLocalStorage();
		// the SCIM plugin takes any other adapter than the context's for a transaction that is under way
		const running = adapters.getStore();
		if (running && !running.isTransactionActive && ours.has(running.adapter)) running.adapter = objects.adapter;
		return objects;
	};
};

type KeyOptions = { jwks?: { jwksPath?: string | undefined } | undefined };

/** The OAuth provider builds the address of the keys from this path, for its metadata and to verify ID tokens itself. */
const withOwnKeys = <Options extends KeyOptions>(options: Options | undefined, tenantId: string) => ({
	...options,
	jwks: { ...options?.jwks, jwksPath: `${options?.jwks?.jwksPath ?? "/jwks"}?tenantId=${tenantId}` },
});

const sameAdapter = (adapter: DBAdapter): DBAdapter => {
	const same = { ...adapter };
	const check = schemaCheckFor(adapter);
	if (check) registerSchemaCheck(same, check, { runtimeEnabled: Boolean(runtimeSchemaCheckFor(adapter)) });
	return same;
};
