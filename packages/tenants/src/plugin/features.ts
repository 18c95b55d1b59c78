import type { DBAdapter } from "@better-auth/core/db/adapter";
import type { Provided } from "../engine/service.ts";
import { CONCURRENCY_ERROR_CODES } from "../errors/concurrency-error-codes.ts";
import { TENANT_AUTH_ERROR_CODES } from "../errors/error-codes.ts";
import { SSO_ERROR_CODES } from "../errors/sso-error-codes.ts";
import { TRANSFER_ERROR_CODES } from "../errors/transfer-error-codes.ts";
import { domains } from "../features/domains/feature.ts";
import { email } from "../features/email/feature.ts";
import { impersonation } from "../features/impersonation/feature.ts";
import type { Management } from "../features/management/management.ts";
import { methods } from "../features/methods/feature.ts";
import { oauth } from "../features/oauth/feature.ts";
import { tenants } from "../features/tenants/feature.ts";
import { transfer } from "../features/transfer/feature.ts";
import type { CurrentTenant } from "../scope/data/schema.ts";
import type { ResolvedOptions } from "./options.ts";
import type { Core } from "./start-core.ts";

// What all features give to the plugin. Written out, because a loop would lose the types, which applications see.

/** What endpoints are made of, before Better Auth starts. */
export type EndpointParts = {
	management: Management;
	options: ResolvedOptions;
	current: CurrentTenant;
	checkSlug: (slug: string) => string;
};

/** The endpoints of all features. */
export const featureEndpoints = (parts: EndpointParts) => ({
	...tenants.endpoints(parts),
	...domains.endpoints(parts),
	...impersonation.endpoints(parts),
	...transfer.endpoints(parts),
	...email.endpoints(parts),
	...oauth.endpoints(parts),
	...methods.endpoints(parts),
});

/**
 * Error codes of `tenantAuth()` and of `limitConcurrency`, with those of SSO and of the transfer of users. The code is the contract.
 * The message may change. The export of the same name in `better-auth-tenants/client` has those that browsers get.
 *
 * @example
 * ```ts
 * if (error.body?.code === TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND.code) showNotFound();
 * ```
 */
export const PLUGIN_CODES = {
	...TENANT_AUTH_ERROR_CODES,
	...SSO_ERROR_CODES,
	...TRANSFER_ERROR_CODES,
	...CONCURRENCY_ERROR_CODES,
};

/** Starts the features that need nothing but the core. Those that the scope is built with are started in start-services.ts. */
export const startFeatures = (core: Core, scopedAdapter: DBAdapter): Provided[] =>
	[domains.start(core), transfer.start({ ...core, scopedAdapter })].flatMap(({ services }) => [...services]);
