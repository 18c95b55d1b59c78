export { tenantLifecycle } from "./lifecycle/tenant-lifecycle.ts";
export { LIFECYCLE_ERROR_CODES } from "./lifecycle-error-codes.ts";
