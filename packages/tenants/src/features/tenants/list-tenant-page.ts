import { nextCursor } from "../../lib/next-cursor.ts";
import type { Tenant } from "../../scope/tenants/tenant.ts";

/**
 * Which page of tenants to list.
 *
 * @example
 * ```ts
 * const query: PageQuery = { limit: 50 };
 * ```
 */
export type PageQuery = {
	/**
	 * Tenants per page, 1 to 1000.
	 * @default 100
	 */
	limit?: number;
	/**
	 * `nextCursor` of the previous page. Without it, the first page is listed.
	 * @default none
	 */
	cursor?: string | undefined;
	/**
	 * The beginning of the slug. The list is then ordered by slug.
	 * @default none
	 */
	slug?: string | undefined;
	/**
	 * The beginning of the name. The list is then ordered by name. Do not set both `slug` and `name`.
	 * @default none
	 */
	name?: string | undefined;
	/**
	 * Only tenants with this status. Requires `tenantLifecycle()`.
	 * @default all of them
	 */
	status?: "active" | "suspended" | "archived" | undefined;
};

/**
 * One page of tenants, newest first, or in the order of the slug or the name that was searched for.
 *
 * @example
 * ```ts
 * const hasMore = ({ nextCursor }: TenantPage) => nextCursor !== null;
 * ```
 */
export type TenantPage = {
	/** The tenants of this page. */
	tenants: Tenant[];
	/** The `cursor` of the next page, or null on the last page. */
	nextCursor: string | null;
};

type Listable = {
	api: {
		listTenants: (call: {
			query?: PageQuery;
			returnHeaders: true;
		}) => Promise<{ response: Tenant[]; headers: Headers | null | undefined }>;
	};
};

/**
 * Lists or searches one page of tenants from server code, newest first by default. Pass `nextCursor` to get the next page. It checks no
 * permission. In the browser, use `authClient.tenant.listPage(…)`.
 *
 * @example
 * ```ts
 * const { tenants, nextCursor } = await listTenantPage(auth, { limit: 50 });
 * ```
 */
export const listTenantPage = async (auth: Listable, query: PageQuery = {}): Promise<TenantPage> => {
	const { response, headers } = await auth.api.listTenants({ query, returnHeaders: true });
	return { tenants: response, nextCursor: headers ? nextCursor(headers) : null };
};
