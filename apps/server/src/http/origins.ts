/** Checks whether an origin may call the API: one of these, or one that a pattern such as https://*.example.com matches. */
export const createOriginCheck = (trusted: readonly string[]): ((origin: string) => boolean) => {
	const exact = new Set(trusted.filter((origin) => !origin.includes("*")));
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
