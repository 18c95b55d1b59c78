import type { BetterAuthClientPlugin } from "better-auth/client";
import { LIFECYCLE_ERROR_CODES } from "../../errors/lifecycle-error-codes.ts";
import type { tenantLifecycle } from "./tenant-lifecycle.ts";

/**
 * The client plugin of `tenantLifecycle()`, for the pages of operators. It adds `authClient.tenant.suspend(…)`,
 * `authClient.tenant.archive(…)` and `authClient.tenant.restore(…)`.
 *
 * @example
 * ```ts
 * const authClient = createAuthClient({ plugins: [tenantAuthClient(), tenantLifecycleClient()] });
 * ```
 */
export const tenantLifecycleClient = () =>
	({
		id: "tenant-lifecycle-client",
		$InferServerPlugin: {} as ReturnType<typeof tenantLifecycle>,
		$ERROR_CODES: LIFECYCLE_ERROR_CODES,
	}) satisfies BetterAuthClientPlugin;
