export { firstOf } from "./resolve/first-of.ts";
export { fromCustomDomain } from "./resolve/from-custom-domain.ts";
export { fromPath } from "./resolve/from-path.ts";
export { fromSubdomain } from "./resolve/from-subdomain.ts";
export { serveTenantPaths } from "./resolve/tenant-paths.ts";
