/** Where the site is published. Canonical addresses and the copies for assistants contain it. */
export const SITE = process.env.SITE_URL ?? "https://better-auth-tenants.github.io";

/** Where sources are shown. */
export const REPOSITORY = "https://github.com/better-auth-tenants/better-auth-tenants";
