import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { isTenantId } from "../../resolve/tenant-id.ts";
import { linkNextPage, pageInput, readCursor } from "../../scope/data/paging.ts";
import { parsePrefixPageEnd, prefixInput } from "../../scope/data/prefix-pages.ts";
import { hasLifecycle } from "../../scope/pin/tenant-state.ts";
import { showTenant, type TenantRow, tenantOpenAPI } from "../../scope/tenants/tenant.ts";
import type { ListedStatus, PageEnd } from "../../scope/tenants/tenant-pages.ts";
import { type TenantSearch, tenantStoreOf } from "../../scope/tenants/tenant-store.ts";
import type { Management } from "../management/management.ts";

const PATH = "/tenant/list";
const DEFAULT_LIMIT = 100;
const STATUSES = ["active", "suspended", "archived"] as const satisfies ListedStatus[];
const { fields, parameters } = pageInput("Tenants", DEFAULT_LIMIT);
const SLUG = "The beginning of the slug. Do not send both slug and name";
const NAME = "The beginning of the name. Do not send both slug and name";
const STATUS = "Only tenants with this status. Requires tenantLifecycle()";
const query = z
	.object({
		slug: prefixInput.meta({ description: SLUG }).optional(),
		name: prefixInput.meta({ description: NAME }).optional(),
		status: z.enum(STATUSES).meta({ description: STATUS }).optional(),
		...fields,
	})
	.refine(({ slug, name }) => slug === undefined || name === undefined, { message: "Send slug or name, not both" })
	.optional();

const parameter = (name: string, description: string, values?: string[]) => ({
	name,
	in: "query" as const,
	schema: { type: "string" as const, ...(values ? { enum: values } : {}) },
	description,
});

/**
 * Lists tenants, newest first, one page at a time. With `slug` or `name`, in the order of that field. The body is an array.
 * The header `Link: rel="next"` (RFC 8288) has the next page.
 */
export const listTenants = (management: Management) =>
	createAuthEndpoint(
		PATH,
		{
			method: "GET",
			query,
			use: [management.guard({ action: "tenant:list", target: "none" })],
			metadata: {
				openapi: {
					operationId: "listTenants",
					description: "List tenants, newest first, or search them by slug or name",
					// the engine does not generate parameters from an optional query schema
					parameters: [
						parameter("slug", SLUG),
						parameter("name", NAME),
						parameter("status", STATUS, [...STATUSES]),
						...parameters,
					],
					responses: {
						"200": {
							description: 'The tenants of one page. The header `Link: rel="next"` has the URL of the next page',
							content: { "application/json": { schema: { type: "array", items: tenantOpenAPI } } },
						},
					},
				},
			},
		},
		async (ctx) => {
			const { limit = DEFAULT_LIMIT, cursor, slug, name, status } = ctx.query ?? {};
			if (status !== undefined) assertHasStatus(ctx);
			const search: TenantSearch | null =
				slug === undefined && name === undefined
					? null
					: { field: name === undefined ? "slug" : "name", prefix: name ?? slug?.toLowerCase() ?? "", status };
			const { rows, after } = await findPage(ctx, { limit, cursor, search, status });
			const asked = { slug, name, status };
			if (after !== null) linkNextPage(ctx, { path: PATH, limit, after, query: sent(asked) });
			return ctx.json(rows.map(showTenant));
		},
	);

type Asked = {
	limit: number;
	cursor: string | undefined;
	search: TenantSearch | null;
	status: ListedStatus | undefined;
};

/** One page, and where the next one starts. */
const findPage = async (
	ctx: GenericEndpointContext,
	{ limit, cursor, search, status }: Asked,
): Promise<{ rows: TenantRow[]; after: string | null }> => {
	const tenants = tenantStoreOf(ctx);
	if (search) {
		const { rows, end } = await tenants.search(search, limit, readCursor(cursor, parsePrefixPageEnd));
		return { rows, after: end && JSON.stringify(end) };
	}
	const { rows, end } = await tenants.list(limit, readCursor(cursor, readEnd), status);
	return { rows, after: end && writeEnd(end) };
};

/** Without the companion, every tenant is active, and a list of all of them would be a wrong result for `suspended`. */
const assertHasStatus = ({ context }: GenericEndpointContext): void => {
	if (hasLifecycle(context.tables)) return;
	const message = "status requires tenantLifecycle(). Add it to the plugins, or leave status out";
	throw APIError.from("BAD_REQUEST", { ...TENANT_AUTH_ERROR_CODES.UNKNOWN_FIELD, message });
};

/** The parameters of this request that those of the next page repeat. */
const sent = (given: Record<string, string | undefined>): Record<string, string> =>
	Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined));

const writeEnd = ({ createdAt, id, isFraction }: PageEnd): string =>
	`${createdAt.getTime()}${isFraction ? "+" : "."}${id}`;

/** The last millisecond that ISO 8601 writes with four digits for the year. SQLite compares times as such texts. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const readEnd = (text: string): PageEnd | null => {
	const [, time = "", mark, id] = /^(\d{1,15})([.+])(.*)$/.exec(text) ?? [];
	if (!isTenantId(id) || Number(time) > LAST_TIME) return null;
	return { createdAt: new Date(Number(time)), id, isFraction: mark === "+" };
};
