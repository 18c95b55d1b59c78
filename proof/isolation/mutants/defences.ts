import { ABUSE_DEFENCES } from "./abuse-defences.ts";
import { ADAPTER_DEFENCES } from "./adapter-defences.ts";
import { CONCURRENCY_DEFENCES } from "./concurrency-defences.ts";
import { CREDENTIAL_DEFENCES } from "./credential-defences.ts";
import { CREDENTIAL_LOOKUP_DEFENCES } from "./credential-lookup-defences.ts";
import type { Defence } from "./defence.ts";
import { IMPERSONATION_DEFENCES } from "./impersonation-defences.ts";
import { NAMESPACE_DEFENCES } from "./namespace-defences.ts";
import { OAUTH_DEFENCES } from "./oauth-defences.ts";
import { OUTGOING_DEFENCES } from "./outgoing-defences.ts";
import { REQUEST_DEFENCES } from "./request-defences.ts";
import { SCHEMA_DEFENCES } from "./schema-defences.ts";
import { SSO_DEFENCES } from "./sso-defences.ts";
import { STORAGE_DEFENCES } from "./storage-defences.ts";
import { TENANT_DEFENCES } from "./tenant-defences.ts";
import { TOKEN_DEFENCES } from "./token-defences.ts";
import { TRANSFER_DEFENCES } from "./transfer-defences.ts";

/** The defences that are taken out, one at a time. */
export const DEFENCES: Defence[] = [
	...ADAPTER_DEFENCES,
	...REQUEST_DEFENCES,
	...TOKEN_DEFENCES,
	...STORAGE_DEFENCES,
	...TENANT_DEFENCES,
	...IMPERSONATION_DEFENCES,
	...TRANSFER_DEFENCES,
	...OAUTH_DEFENCES,
	...SSO_DEFENCES,
	...CREDENTIAL_DEFENCES,
	...OUTGOING_DEFENCES,
	...SCHEMA_DEFENCES,
	...CREDENTIAL_LOOKUP_DEFENCES,
	...ABUSE_DEFENCES,
	...NAMESPACE_DEFENCES,
	...CONCURRENCY_DEFENCES,
];
