import type { BetterAuthOptions } from "@better-auth/core";
import type { SecondaryStorage } from "@better-auth/core/db";
import { VERIFICATION } from "../data/storage.ts";
import type { TenantContext } from "../pin/tenant-context.ts";
import type { SessionsSince } from "../pin/tenant-state.ts";
import { isSessionToken } from "./impersonated-session.ts";

/**
 * Hides sessions and verifications (reset links, one-time tokens, one-time passwords) that were stored before the tenant's
 * sessions were ended. Not every storage can list its keys, and the list of a user's sessions may lack some.
 */
export const hideEndedSessions = (
	storage: SecondaryStorage,
	pin: Pick<TenantContext, "current">,
	sessionsSince: SessionsSince,
): SecondaryStorage => {
	const unlessEnded = async (key: string, stored: unknown): Promise<unknown> => {
		if (stored == null || !(isSessionToken(key) || key.startsWith(VERIFICATION))) return stored;
		const since = await sessionsSince(pin.current());
		return since === null || isNewer(stored, since) ? stored : null;
	};
	return {
		...storage,
		get: async (key) => unlessEnded(key, await storage.get(key)),
		getAndDelete: async (key) => unlessEnded(key, await storage.getAndDelete(key)),
	};
};

/** Whether a session or a verification was created since. Something that does not say when was not: it fails closed. */
const isNewer = (stored: unknown, since: number): boolean => {
	try {
		const value: unknown = typeof stored === "string" ? JSON.parse(stored) : stored;
		const { session, createdAt } = value as { session?: { createdAt?: string }; createdAt?: string };
		return new Date(session?.createdAt ?? createdAt ?? Number.NaN).getTime() >= since;
	} catch {
		return false;
	}
};

/**
 * Ends cached sessions. The signature of a cookie ends with the secret that signed it, but an encrypted cache (`jwe`) is
 * opened with the secret of stored values, and the bearer plugin signs a token that it receives without a signature.
 */
export const endCachedSessions = (
	options: BetterAuthOptions,
	pin: Pick<TenantContext, "current">,
	sessionsSince: SessionsSince,
): void => {
	const { session } = options;
	if (!session?.cookieCache?.enabled) return;
	const { version } = session.cookieCache;
	options.session = {
		...session,
		cookieCache: {
			...session.cookieCache,
			version: async (...cached) =>
				versionSince(
					typeof version === "function" ? await version(...cached) : (version ?? FIRST),
					await sessionsSince(pin.current()),
				),
		},
	};
};

/** The engine's default. */
const FIRST = "1";

const versionSince = (version: string, since: number | null): string =>
	since === null ? version : `${version}:${since}`;
