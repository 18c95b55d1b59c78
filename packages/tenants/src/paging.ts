import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { TENANT_AUTH_ERROR_CODES } from "./error-codes.ts";

const MAX_LIMIT = 1000;
const CURSOR = "Cursor from the Link header of the previous page";

/** The query parameters of a paginated list, as a schema and for OpenAPI. */
export const pageInput = (noun: string, defaultLimit: number) => {
	const limit = `${noun} per page. Default: ${defaultLimit}, at most ${MAX_LIMIT}`;
	return {
		fields: {
			limit: z.coerce.number().int().min(1).max(MAX_LIMIT).optional().meta({ description: limit }),
			cursor: z.string().optional().meta({ description: CURSOR }),
		},
		parameters: [
			{ name: "limit", in: "query" as const, schema: { type: "integer" as const }, description: limit },
			{ name: "cursor", in: "query" as const, schema: { type: "string" as const }, description: CURSOR },
		],
	};
};

/** Reads the id after which a page starts. */
export const readCursor = (cursor: string | undefined, isId: (id: string) => boolean): string | null => {
	if (cursor === undefined) return null;
	try {
		const bytes = Uint8Array.from(atob(cursor), (letter) => letter.charCodeAt(0));
		const id = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		if (isId(id)) return id;
	} catch {
		// not base64, or not text: throws below
	}
	throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_CURSOR);
};

type Page = { path: string; limit: number; query?: Record<string, string> };

/** Removes the extra row that shows whether there is a next page, and sets the Link header to that page (RFC 8288). */
export const cutPage = <Row extends { id: string }>(
	ctx: GenericEndpointContext,
	rows: Row[],
	{ path, limit, query = {} }: Page,
): Row[] => {
	const page = rows.slice(0, limit);
	const last = page.at(-1);
	if (rows.length > limit && last) {
		const next = new URL(`${ctx.context.baseURL}${path}`);
		for (const [name, value] of Object.entries(query)) next.searchParams.set(name, value);
		next.searchParams.set("limit", String(limit));
		next.searchParams.set("cursor", btoa(String.fromCharCode(...new TextEncoder().encode(last.id))));
		ctx.setHeader("link", `<${next}>; rel="next"`);
		ctx.setHeader("access-control-expose-headers", "link");
	}
	return page;
};
