/** What the entry of a copied engine exports. */
export type EngineCopy = {
	betterAuth: typeof import("better-auth").betterAuth;
	getMigrations: typeof import("better-auth/db/migration").getMigrations;
	plugins: typeof import("better-auth/plugins");
};
