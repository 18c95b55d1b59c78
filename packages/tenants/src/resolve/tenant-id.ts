/** What may stand as a tenant id. Narrow on purpose: ids travel in headers, cookies, storage keys and URLs. */
export const isTenantId = (value: unknown): value is string =>
	typeof value === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(value);
