import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import type { KnownTenants } from "../scope/known-tenants.ts";
import { PLATFORM } from "../scope/platform.ts";
import type { OauthConfigStore } from "./config-store.ts";

export type ManagedConfigs = ReturnType<typeof createManagedConfigs>;

type ManageWith = {
	known: KnownTenants;
	storeOf: (tenantId: string) => OauthConfigStore;
	/** drops what was loaded for the tenant: a change is in force in this process at once */
	forget: (tenantId: string) => void;
};

/** One tenant's configs for the management endpoints: refuses a missing tenant, and keeps loaded providers fresh. */
export const createManagedConfigs = ({ known, storeOf, forget }: ManageWith) => ({
	of: async <Result>(tenantId: string, act: (store: OauthConfigStore) => Promise<Result>): Promise<Result> => {
		if (tenantId === PLATFORM || !(await known.isOpen(tenantId))) {
			throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
		}
		try {
			return await act(storeOf(tenantId));
		} finally {
			forget(tenantId);
		}
	},
});
