/** Whether pages of an origin may call the API: the service's own, the trusted ones, and https://*.example.com of them. */
export const createOriginCheck = (publicURL: string, trusted: readonly string[]): ((origin: string) => boolean) => {
	const exact = new Set([publicURL, ...trusted.filter((origin) => !origin.includes("*"))]);
	const wildcards = trusted.filter((origin) => origin.includes("://*.")).map(readWildcard);
	return (origin) => {
		if (exact.has(origin)) return true;
		const url = URL.parse(origin);
		// what a browser sends is the origin and nothing else; "null" is the origin of everybody who hides his own
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
