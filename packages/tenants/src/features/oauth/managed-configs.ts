import { APIError } from "@better-auth/core/error";
import { defineService } from "../../engine/service.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import type { KnownTenants } from "../../scope/tenants/known-tenants.ts";
import type { TenantStore } from "../../scope/tenants/tenant-store.ts";
import type { OauthConfigStore } from "./config-store.ts";

export type ManagedConfigs = ReturnType<typeof createManagedConfigs>;

/** The OAuth credentials of tenants. */
export const oauthConfigsOf = defineService<ManagedConfigs>("configs");

type ManageWith = {
	known: Pick<KnownTenants, "admits">;
	tenants: Pick<TenantStore, "findKept">;
	storeOf: (tenantId: string) => OauthConfigStore;
	/** drops the tenant's cached providers, so a change takes effect at once in this process */
	forget: (tenantId: string) => void;
};

/**
 * The management endpoints' access to a tenant's configs. Throws for a missing tenant, and clears its cached providers.
 */
export const createManagedConfigs = ({ known, tenants, storeOf, forget }: ManageWith) => {
	const assertOpen = async (tenantId: string): Promise<void> => {
		if (tenantId === PLATFORM || !(await known.admits(tenantId)))
			throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
	};
	return {
		of: async <Result>(tenantId: string, act: (store: OauthConfigStore) => Promise<Result>): Promise<Result> => {
			await assertOpen(tenantId);
			try {
				return await act(storeOf(tenantId));
			} finally {
				forget(tenantId);
			}
		},
		/** Throws for a missing tenant, the platform and a suspended tenant. */
		assertOpen,
		/** For code that writes nothing: operators can read a suspended tenant. */
		read: async <Result>(tenantId: string, read: (store: OauthConfigStore) => Promise<Result>): Promise<Result> => {
			if (tenantId === PLATFORM || !(await tenants.findKept({ id: tenantId })))
				throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
			return read(storeOf(tenantId));
		},
	};
};
