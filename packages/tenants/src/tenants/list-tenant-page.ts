import { nextCursor } from "../next-cursor.ts";
import type { Tenant } from "./tenant.ts";

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
	 * `nextCursor` of the previous page. Without it, the newest tenants are listed.
	 * @default none
	 */
	cursor?: string | undefined;
};

/**
 * One page of tenants, newest first.
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
 * Lists one page of tenants from server code, newest first. Pass `nextCursor` to get the next page. It checks no
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
