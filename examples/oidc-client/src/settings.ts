export const appUrl = new URL(process.env.APP_URL ?? "http://localhost:4000");
export const serviceUrl = new URL(process.env.AUTH_URL ?? "http://localhost:3000");

/** Where the service sends users back to. Both are registered with every client. */
export const callbackUrl = new URL("/callback", appUrl).href;
export const signedOutUrl = new URL("/", appUrl).href;

/** The issuer of a tenant: its own host, with the base path of the service. */
export const issuerOf = (slug: string): string => `${serviceUrl.protocol}//${slug}.${serviceUrl.host}/api/auth`;
