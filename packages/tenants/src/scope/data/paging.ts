import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";

const MAX_LIMIT = 1000;
const CURSOR = "Cursor from the Link header of the previous page";

/** The query parameters of a paginated list, as a schema and for OpenAPI. */
export const pageInput = (noun: string, defaultLimit: number) => {
	const limit = `${noun} per page. Default: ${defaultLimit}, at most ${MAX_LIMIT}`;
	return {
		fields: {
			limit: z.coerce.number().int().min(1).max(MAX_LIMIT).meta({ description: limit }).optional(),
			cursor: z.string().meta({ description: CURSOR }).optional(),
		},
		parameters: [
			{ name: "limit", in: "query" as const, schema: { type: "integer" as const }, description: limit },
			{ name: "cursor", in: "query" as const, schema: { type: "string" as const }, description: CURSOR },
		],
	};
};

/** Reads a cursor with `parse`, which returns null for a text that no list endpoint issued. */
export const readCursor = <End>(cursor: string | undefined, parse: (text: string) => End | null): End | null => {
	if (cursor === undefined) return null;
	let end: End | null = null;
	try {
		const bytes = Uint8Array.from(atob(cursor), (letter) => letter.charCodeAt(0));
		end = parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
	} catch {
		// not base64, or not text: throws below
	}
	if (end === null) throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_CURSOR);
	return end;
};

const writeCursor = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

type Next = { path: string; limit: number; after: string; query?: Record<string, string> };

/** Sets the Link header to the next page (RFC 8288). `after` is the text that `readCursor` parses. */
export const linkNextPage = (ctx: GenericEndpointContext, { path, limit, after, query = {} }: Next): void => {
	const next = new URL(`${ctx.context.baseURL}${path}`);
	for (const [name, value] of Object.entries(query)) next.searchParams.set(name, value);
	next.searchParams.set("limit", String(limit));
	next.searchParams.set("cursor", writeCursor(after));
	ctx.setHeader("link", `<${next}>; rel="next"`);
	ctx.setHeader("access-control-expose-headers", "link");
};

/** For lists that are ordered by id: removes the extra row that shows whether there is a next page, and links to it. */
export const cutPage = <Row extends { id: string }>(
	ctx: GenericEndpointContext,
	rows: Row[],
	{ path, limit, query = {} }: Omit<Next, "after">,
): Row[] => {
	const page = rows.slice(0, limit);
	const last = page.at(-1);
	if (rows.length > limit && last) linkNextPage(ctx, { path, limit, query, after: last.id });
	return page;
};
