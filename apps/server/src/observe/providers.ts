import { socialProviderList } from "better-auth/social-providers";

const KNOWN = new Set<unknown>(socialProviderList);

/** How many names a provider can have in labels. */
export const PROVIDER_COUNT = KNOWN.size;

/** One of the engine's own provider names, or null: what callers make up never becomes a label. */
export const knownProvider = (name: unknown): string | null =>
	typeof name === "string" && KNOWN.has(name) ? name : null;
