export { assertTenantIsolation, findTenantLeaks } from "./testing/assert-tenant-isolation.ts";
export type {
	TenantIsolationAuth,
	TenantIsolationNewUser,
	TenantIsolationOptions,
	TenantIsolationSignedUpUser,
} from "./testing/options.ts";
export type { TenantIsolationLeak, TenantIsolationReport } from "./testing/report.ts";
export type {
	TenantIsolationInput,
	TenantIsolationSide,
	TenantIsolationToken,
	TenantIsolationUser,
} from "./testing/side.ts";
