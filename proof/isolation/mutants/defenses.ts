import { ABUSE_DEFENSES } from "./abuse-defenses.ts";
import { ADAPTER_DEFENSES } from "./adapter-defenses.ts";
import { ADMIN_DEFENSES } from "./admin-defenses.ts";
import { BOUNDS_DEFENSES } from "./bounds-defenses.ts";
import { CALLBACK_HOST_DEFENSES } from "./callback-host-defenses.ts";
import { COMPANION_DEFENSES } from "./companion-defenses.ts";
import { CONCURRENCY_DEFENSES } from "./concurrency-defenses.ts";
import { CONSOLE_DEFENSES } from "./console-defenses.ts";
import { CREDENTIAL_DEFENSES } from "./credential-defenses.ts";
import { CREDENTIAL_LOOKUP_DEFENSES } from "./credential-lookup-defenses.ts";
import type { Defense } from "./defense.ts";
import { HANDLER_DEFENSES } from "./handler-defenses.ts";
import { HOST_DEFENSES } from "./host-defenses.ts";
import { IMPERSONATION_DEFENSES } from "./impersonation-defenses.ts";
import { INVITATION_DEFENSES } from "./invitation-defenses.ts";
import { LIFECYCLE_DEFENSES } from "./lifecycle-defenses.ts";
import { MOVE_DEFENSES } from "./move-defenses.ts";
import { NAMESPACE_DEFENSES } from "./namespace-defenses.ts";
import { OAUTH_DEFENSES } from "./oauth-defenses.ts";
import { ORDER_DEFENSES } from "./order-defenses.ts";
import { OUTGOING_DEFENSES } from "./outgoing-defenses.ts";
import { POLICY_DEFENSES } from "./policy-defenses.ts";
import { REQUEST_DEFENSES } from "./request-defenses.ts";
import { RIGHTS_DEFENSES } from "./rights-defenses.ts";
import { ROTATION_DEFENSES } from "./rotation-defenses.ts";
import { ROW_DEFENSES } from "./row-defenses.ts";
import { SCHEMA_DEFENSES } from "./schema-defenses.ts";
import { SECOND_FACTOR_DEFENSES } from "./second-factor-defenses.ts";
import { SESSION_CACHE_DEFENSES } from "./session-cache-defenses.ts";
import { SHARE_DEFENSES } from "./share-defenses.ts";
import { SSO_DEFENSES } from "./sso-defenses.ts";
import { STORAGE_DEFENSES } from "./storage-defenses.ts";
import { TENANT_DEFENSES } from "./tenant-defenses.ts";
import { TOKEN_DEFENSES } from "./token-defenses.ts";
import { TRANSFER_DEFENSES } from "./transfer-defenses.ts";
import { TRIGGER_DEFENSES } from "./trigger-defenses.ts";
import { UNPROVEN_DEFENSES } from "./unproven-defenses.ts";

/** The defenses that are removed, one at a time. */
export const DEFENSES: Defense[] = [
	...ADAPTER_DEFENSES,
	...REQUEST_DEFENSES,
	...HANDLER_DEFENSES,
	...HOST_DEFENSES,
	...TOKEN_DEFENSES,
	...STORAGE_DEFENSES,
	...TENANT_DEFENSES,
	...IMPERSONATION_DEFENSES,
	...TRANSFER_DEFENSES,
	...MOVE_DEFENSES,
	...OAUTH_DEFENSES,
	...CALLBACK_HOST_DEFENSES,
	...SHARE_DEFENSES,
	...SSO_DEFENSES,
	...CREDENTIAL_DEFENSES,
	...ORDER_DEFENSES,
	...OUTGOING_DEFENSES,
	...SCHEMA_DEFENSES,
	...CREDENTIAL_LOOKUP_DEFENSES,
	...ABUSE_DEFENSES,
	...BOUNDS_DEFENSES,
	...NAMESPACE_DEFENSES,
	...CONCURRENCY_DEFENSES,
	...ROTATION_DEFENSES,
	...ROW_DEFENSES,
	...POLICY_DEFENSES,
	...LIFECYCLE_DEFENSES,
	...TRIGGER_DEFENSES,
	...SESSION_CACHE_DEFENSES,
	...INVITATION_DEFENSES,
	...ADMIN_DEFENSES,
	...SECOND_FACTOR_DEFENSES,
	...COMPANION_DEFENSES,
	...RIGHTS_DEFENSES,
	...UNPROVEN_DEFENSES,
	...CONSOLE_DEFENSES,
];
