/** Controls and backslashes, which browsers read as nothing or as a slash. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const MISLEADING = /[\u0000-\u0020\u007f-\u009f\\]/;
const LONGEST = 2048;

/**
 * Reads where to go after a sign-in: a path on this host, or a URL at a trusted origin. Null for anything else. Better Auth
 * checks it again, as the callback URL of the sign-in.
 */
export const readReturnURL = (
	given: string | null,
	ownOrigin: string,
	isTrusted: (origin: string) => boolean,
): string | null => {
	if (!given || given.length > LONGEST || MISLEADING.test(given) || !given.isWellFormed()) return null;
	const isPath = /^\/(?![/\\])/.test(given);
	if (!isPath && !/^https?:\/\//i.test(given)) return null;
	const url = URL.parse(given, ownOrigin);
	if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
	// dots in a path can resolve to //host
	if (url.origin === ownOrigin) return url.pathname.startsWith("//") ? null : `${url.pathname}${url.search}${url.hash}`;
	return !isPath && isTrusted(url.origin) ? url.href : null;
};
