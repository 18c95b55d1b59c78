import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { TENANT_AUTH_ERROR_CODES } from "./error-codes.ts";

const MOST = 1000;
const CURSOR = "Where to go on: taken from the Link header of the page before";

/** What a list that is answered by pages takes, and how that is described. */
export const pageInput = (noun: string, usual: number) => {
	const limit = `${noun} on a page, ${usual} by default, at most ${MOST}`;
	return {
		fields: {
			limit: z.coerce.number().int().min(1).max(MOST).optional().meta({ description: limit }),
			cursor: z.string().optional().meta({ description: CURSOR }),
		},
		parameters: [
			{ name: "limit", in: "query" as const, schema: { type: "integer" as const }, description: limit },
			{ name: "cursor", in: "query" as const, schema: { type: "string" as const }, description: CURSOR },
		],
	};
};

/** The id after which a page begins. */
export const readCursor = (cursor: string | undefined, isId: (id: string) => boolean): string | null => {
	if (cursor === undefined) return null;
	try {
		const bytes = Uint8Array.from(atob(cursor), (letter) => letter.charCodeAt(0));
		const id = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		if (isId(id)) return id;
	} catch {
		// not base64, or not text: refused below
	}
	throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_CURSOR);
};

type Page = { path: string; limit: number; query?: Record<string, string> };

/** Cuts off the row that was read only to see whether there is more, and links to that (RFC 8288). */
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
