import { createHook } from "../../engine/hook.ts";
import { claimTenant } from "./tenant-claim.ts";

/** Adds the tenant claim for opaque tokens, and for tokens that were signed before the claim existed. */
export const addTenantClaim = (currentTenant: () => string) =>
	createHook(async ({ context: { returned } }) =>
		isActive(returned) ? claimTenant(returned, currentTenant()) : undefined,
	);

/** Whether the response describes an active token (RFC 7662, section 2.2) or a user's claims. */
const isActive = (returned: unknown): returned is object =>
	typeof returned === "object" &&
	returned !== null &&
	(("active" in returned && returned.active === true) || (!("active" in returned) && "sub" in returned));
