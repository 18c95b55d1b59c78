export const platform = new URL(process.env.BASE_URL ?? "http://localhost:3000");

const suffix = `.${platform.host}`;

/** Returns the slug in a host: `acme` for `acme.localhost:3000`. Returns null for the platform and for hosts of nobody. */
export const slugOf = (host: string): string | null => (host.endsWith(suffix) ? host.slice(0, -suffix.length) : null);

/** Returns a tenant's address: `http://acme.localhost:3000`. */
export const addressOf = (slug: string): string => `${platform.protocol}//${slug}${suffix}`;
