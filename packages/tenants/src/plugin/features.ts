import type { DBAdapter } from "@better-auth/core/db/adapter";
import type { Provided } from "../engine/service.ts";
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

/** What endpoints are made of, before Better Auth starts. */
export type EndpointParts = {
	management: Management;
	options: ResolvedOptions;
	current: CurrentTenant;
	checkSlug: (slug: string) => string;
};

/** The endpoints of all features. Spread one by one: a list would lose their types, which applications see. */
export const featureEndpoints = (parts: EndpointParts) => ({
	...tenants.endpoints(parts),
	...domains.endpoints(parts),
	...impersonation.endpoints(parts),
	...transfer.endpoints(parts),
	...email.endpoints(parts),
	...oauth.endpoints(parts),
	...methods.endpoints(parts),
});

/** Starts the features that need nothing but the core. Those that the scope is built with are started in start-services.ts. */
export const startFeatures = (core: Core, scopedAdapter: DBAdapter): Provided[] =>
	[domains.start(core), transfer.start({ ...core, scopedAdapter })].flatMap(({ services }) => [...services]);
