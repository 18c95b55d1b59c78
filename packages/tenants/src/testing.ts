export { assertTenantIsolation, findTenantLeaks } from "./features/testing/assert-tenant-isolation.ts";
export type {
	TenantIsolationAuth,
	TenantIsolationNewUser,
	TenantIsolationOptions,
	TenantIsolationSignedUpUser,
} from "./features/testing/options.ts";
export type { TenantIsolationLeak, TenantIsolationReport } from "./features/testing/report.ts";
export type {
	TenantIsolationInput,
	TenantIsolationSide,
	TenantIsolationToken,
	TenantIsolationUser,
} from "./features/testing/side.ts";
