export { firstOf } from "./resolve/first-of.ts";
export { type CustomDomainOptions, fromCustomDomain } from "./resolve/from-custom-domain.ts";
export { fromPath, type PathOptions } from "./resolve/from-path.ts";
export { fromSubdomain, type SubdomainOptions } from "./resolve/from-subdomain.ts";
