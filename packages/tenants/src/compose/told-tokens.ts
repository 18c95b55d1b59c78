import type { HookEndpointContext } from "@better-auth/core";
import { createHook } from "../scope/hook.ts";
import { claimTenant } from "../tenant-claim.ts";

/** Endpoints of the OAuth provider that return the claims of a token or of its user. */
const TELLING = new Set(["/oauth2/introspect", "/oauth2/userinfo"]);

export const tellsOfToken = ({ path }: HookEndpointContext): boolean => path !== undefined && TELLING.has(path);

/** Adds the tenant claim for opaque tokens, and for tokens that were signed before the claim existed. */
export const tellTenant = (currentTenant: () => string) =>
	createHook(async ({ context: { returned } }) =>
		isActive(returned) ? claimTenant(returned, currentTenant()) : undefined,
	);

/** An active token (RFC 7662, section 2.2) or the claims of a user. */
const isActive = (returned: unknown): returned is object =>
	typeof returned === "object" &&
	returned !== null &&
	(("active" in returned && returned.active === true) || (!("active" in returned) && "sub" in returned));
