/**
 * Checks whether an origin may call the API: the server's own, trusted ones, and patterns such as
 * https://*.example.com.
 */
export const createOriginCheck = (publicURL: string, trusted: readonly string[]): ((origin: string) => boolean) => {
	const exact = new Set([publicURL, ...trusted.filter((origin) => !origin.includes("*"))]);
	const wildcards = trusted.filter((origin) => origin.includes("://*.")).map(readWildcard);
	return (origin) => {
		if (exact.has(origin)) return true;
		const url = URL.parse(origin);
		// browsers send exactly the origin; "null" stands for any opaque origin, so it is never trusted
		if (!url || url.origin !== origin) return false;
		return wildcards.some(
			({ protocol, port, suffix }) =>
				url.protocol === protocol && url.port === port && url.hostname.endsWith(suffix) && url.hostname !== suffix,
		);
	};
};

const readWildcard = (pattern: string) => {
	const { protocol, port, hostname } = new URL(pattern.replace("://*.", "://"));
	return { protocol, port, suffix: `.${hostname}` };
};
