import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import type { HintSources } from "../resolve/hint.ts";
import { HASHING } from "./hashing-paths.ts";

export type EarlyShed = (request: Request) => { response: Response } | undefined;

type With = { sources: HintSources; isFull: (tenantId: string) => boolean };

/**
 * Answers a request that would be shed before its body is read and its endpoint looked for, where a header says its
 * tenant: that is half of what shedding it costs, and a thousand of them at once make everybody wait. Whatever else it
 * says is not looked at. Its body may name another tenant after all; whoever sends both has to wait with the first.
 */
export const createEarlyShed =
	({ sources: { tenantHeader, resolveTenantId }, isFull }: With): EarlyShed =>
	(request) => {
		const tenantId = tenantHeader && !resolveTenantId && request.headers.get(tenantHeader);
		if (!tenantId || !isFull(tenantId) || !mayHash(request)) return undefined;
		const { code, message } = TENANT_AUTH_ERROR_CODES.HASHING_BUSY;
		const headers = { "retry-after": "1", "cache-control": "no-store" };
		return { response: Response.json({ code, message }, { status: 503, headers }) };
	};

const mayHash = ({ url, method }: Request): boolean => {
	const { pathname, searchParams } = new URL(url);
	return method === "POST" && !searchParams.has("tenantId") && [...HASHING].some((path) => pathname.endsWith(path));
};
