import type { ResolveTenantId } from "../../resolve/hint.ts";
import { isApart, runApart } from "./request-record.ts";

/** Whether a resolver is running. What it calls belongs to no host and no tenant. */
export const isResolving = (): boolean => isApart("resolver");

/**
 * Runs a lookup of the application as a request of its own. It may call `auth.api`, for example to find a tenant by
 * its slug. Such a call must not pin the request, and does not resolve a tenant itself.
 */
export const isolated = async <Result>(run: () => Result | Promise<Result>): Promise<Result | null> =>
	isResolving() ? null : runApart("resolver", run);

/** The same for the application's resolver. */
export const isolateResolver =
	(resolve: ResolveTenantId): ResolveTenantId =>
	(request) =>
		isolated(() => resolve(request));
