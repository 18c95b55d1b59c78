/**
 * Whether a value is a valid tenant id. Few characters are allowed, because ids are used in headers, cookies, storage
 * keys and URLs.
 */
export const isTenantId = (value: unknown): value is string =>
	typeof value === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(value);
