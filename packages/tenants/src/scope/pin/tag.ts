import { BoundedCache } from "../../lib/bounded-cache.ts";
import { isTenantId } from "../../resolve/tenant-id.ts";
import { PLATFORM } from "./platform.ts";

/**
 * A tagged value is `<value>~<base64url(tenant id)>`. Values of the platform have no tag.
 *
 * `~` is legal in bearer tokens (RFC 6750, section 2.1), cookie values (RFC 6265, section 4.1.1) and unreserved in
 * URLs (RFC 3986, section 2.3). The engine splits cookies and bearer tokens at `.` and the admin cookie at `:`.
 */
const SEPARATOR = "~";

/** Adds the tenant to a token. The tag is a hint where to look, never a proof. */
export const withTag = (value: string, tenantId: string): string =>
	tenantId === PLATFORM
		? value
		: `${value}${SEPARATOR}${btoa(tenantId).replace(/\+/g, "-").replace(/\//g, "_").replaceAll("=", "")}`;

export type Tagged = { value: string; tenantId: string };

/** Reads the tag. Returns null for a malformed tag or a different encoding of the same tenant. */
export const readTag = (tagged: string): Tagged | null => {
	const at = tagged.indexOf(SEPARATOR);
	if (at < 0) return { value: tagged, tenantId: PLATFORM };
	const tenantId = tenantOfTag(tagged.slice(at + 1));
	return tenantId === null ? null : { value: tagged.slice(0, at), tenantId };
};

/** Cached, because every request reads a tag. Limited, because anyone can send tags of tenants that do not exist. */
const read = new BoundedCache<string>({ maxSize: 10_000, maxAge: 3_600 });

const tenantOfTag = (tag: string): string | null => {
	const known = read.get(tag);
	if (known !== undefined) return known;
	const tenantId = decode(tag);
	if (tenantId === null || tenantId === PLATFORM || withTag("", tenantId) !== SEPARATOR + tag) return null;
	// not the tag itself: it is a slice of the input, and V8 would keep the whole input in memory
	read.set(withTag("", tenantId).slice(SEPARATOR.length), tenantId);
	return tenantId;
};

const decode = (tag: string): string | null => {
	if (!/^[A-Za-z0-9_-]{1,120}$/.test(tag)) return null;
	try {
		const id = atob(tag.replace(/-/g, "+").replace(/_/g, "/"));
		return isTenantId(id) ? id : null;
	} catch {
		return null;
	}
};
