import { defineCallPart } from "../lib/call.ts";
import { readPathPattern } from "./path-pattern.ts";

type Handler = (request: Request) => Promise<Response>;

const sentPath = defineCallPart<string>();

/** The path that a request was sent to, before `serveTenantPaths` removed the tenant from it. */
export const pathOf = (request: Request): string | null => sentPath.now() ?? URL.parse(request.url)?.pathname ?? null;

/**
 * Serves Better Auth below a path of each tenant: `/t/acme/api/auth/…` with the pattern `/t/:tenant`. Better Auth only
 * serves its own `basePath`, so this removes the tenant from the path, and `fromPath` still reads it. Requests to other paths
 * pass unchanged.
 *
 * @example
 * ```ts
 * const handler = serveTenantPaths(auth, { pattern: "/t/:tenant" });
 * ```
 */
export const serveTenantPaths = (auth: { handler: Handler }, { pattern }: { pattern: string }): Handler => {
	const match = readPathPattern("serveTenantPaths", pattern);
	return (request) => {
		const url = new URL(request.url);
		const matched = match(url.pathname);
		if (!matched) return sentPath.run(url.pathname, () => auth.handler(request));
		const sent = url.pathname;
		url.pathname = matched.rest;
		return sentPath.run(sent, () => auth.handler(new Request(url, request)));
	};
};
