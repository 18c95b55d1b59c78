import { socialProviderList } from "better-auth/social-providers";

const KNOWN = new Set<unknown>(socialProviderList);

/** The number of possible provider labels. */
export const PROVIDER_COUNT = KNOWN.size;

/** Returns a provider name that Better Auth knows, or null, so that made-up names never become labels. */
export const knownProvider = (name: unknown): string | null =>
	typeof name === "string" && KNOWN.has(name) ? name : null;
