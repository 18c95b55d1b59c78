export { LIFECYCLE_ERROR_CODES } from "./errors/lifecycle-error-codes.ts";
export { tenantLifecycle } from "./features/lifecycle/tenant-lifecycle.ts";
