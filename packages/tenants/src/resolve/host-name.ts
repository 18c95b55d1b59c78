/** The longest name of the DNS (RFC 1035, section 2.3.4), without the dot of the root. */
const MAX_LENGTH = 253;

/** One label. An underscore is no host name, but some resolvers answer for it. */
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Characters of a host in a header: labels, a port, or an IPv6 address in brackets. */
const SENT = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,254})(:\d{1,5})?$/i;

/**
 * The one spelling of a host that a request was sent to: lower case, no port, and without the dot of the DNS root (RFC
 * 1034, section 3.1). Null if it is not a host. A browser sends internationalized names in ASCII (`xn--…`), so anything
 * else is not a host: a second way to write one would be a second name for a tenant.
 */
export const normalizeHost = (sent: string): string | null => {
	const [, host] = SENT.exec(sent) ?? [];
	if (host === undefined) return null;
	const name = host.toLowerCase().replace(/\.$/, "");
	if (name.startsWith("[")) return name;
	return name.length <= MAX_LENGTH && name.split(".").every((label) => LABEL.test(label)) ? name : null;
};

/**
 * The same for a domain that an operator types. Accepts internationalized names and returns them in ASCII. Null for
 * anything that is not a public name: an address, a single label such as `localhost`, a port, a URL.
 */
export const normalizeDomain = (typed: string): string | null => {
	// the URL parser would drop or decode these
	if (/[\s/\\?#@:%[\]*]/.test(typed)) return null;
	const ascii = URL.parse(`http://${typed}`)?.hostname;
	const name = ascii ? normalizeHost(ascii) : null;
	const labels = name?.split(".") ?? [];
	// a last label of digits is an IPv4 address
	return labels.length >= 2 && !labels.some((label) => label.includes("_")) && !/^\d+$/.test(labels.at(-1) ?? "")
		? name
		: null;
};
