/**
 * Returns the cursor of the next page from the `Link` header of a list, or null on the last page.
 *
 * @example
 * ```ts
 * const { response: tenants, headers } = await auth.api.listTenants({ query: { limit: 50 }, returnHeaders: true });
 * const cursor = nextCursor(headers);
 * ```
 */
export const nextCursor = (headers: Headers): string | null => {
	const link = headers.get("link") ?? "";
	const end = link.indexOf('>; rel="next"');
	const url = link.slice(link.lastIndexOf("<", end) + 1, Math.max(end, 0));
	return URL.canParse(url) ? new URL(url).searchParams.get("cursor") : null;
};
