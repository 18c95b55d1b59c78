/** Controls and backslashes, which browsers read as nothing or as a slash. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const MISLEADING = /[\u0000-\u0020\u007f-\u009f\\]/;
const LONGEST = 2048;

/**
 * Where `safeReturnTo()` may lead.
 *
 * @example
 * ```tsx
 * const targets: ReturnTargets = { origin: location.origin, allowedOrigins: ["https://shop.example.com"] };
 * ```
 */
export type ReturnTargets = {
	/** The origin of the page. Paths are resolved against it. */
	origin: string;
	/** Further origins to which users may be sent. None by default. */
	allowedOrigins?: readonly string[];
};

/**
 * Returns where to go after a sign-in: a URL at the page's own origin or at an allowed one. Returns null for anything else, such
 * as another site, `//host` or `javascript:`. The components use it for `returnTo`.
 *
 * @example
 * ```tsx
 * const target = safeReturnTo(new URLSearchParams(location.search).get("returnTo"), { origin: location.origin });
 * ```
 */
export const safeReturnTo = (
	value: string | null | undefined,
	{ origin, allowedOrigins = [] }: ReturnTargets,
): string | null => {
	if (!value || value.length > LONGEST || MISLEADING.test(value)) return null;
	const isPath = value.startsWith("/") && !value.startsWith("//");
	if (!isPath && !/^https?:\/\//i.test(value)) return null;
	const url = URL.canParse(value, origin) ? new URL(value, origin) : null;
	if (!url || url.username || url.password) return null;
	if (url.origin === origin) return url.href;
	return !isPath && allowedOrigins.includes(url.origin) ? url.href : null;
};

/** Whether an address is a page, and not a script or a file. Relative addresses are. */
export const isWebAddress = (value: string): boolean => {
	if (MISLEADING.test(value)) return false;
	// the base only makes relative addresses parse
	return URL.canParse(value, "https://localhost") && /^https?:$/.test(new URL(value, "https://localhost").protocol);
};
