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
	const [, url] = /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "") ?? [];
	return url && URL.canParse(url) ? new URL(url).searchParams.get("cursor") : null;
};
