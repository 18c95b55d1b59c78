import type { BetterAuthOptions, GenericEndpointContext } from "@better-auth/core";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { addsJwtHeader } from "../../engine/jwt-plugin.ts";
import { PLATFORM } from "../pin/platform.ts";

/**
 * Reads the session from its store, not from the cookie cache, where the response contains a JWT. The JWT outlasts the cached
 * cookie, so a session that was ended would live on in it. Costs a session check per request, where the cache would have saved it.
 */
export const createUncachedSessions = (options: BetterAuthOptions) => {
	const isCached = options.session?.cookieCache?.enabled === true;
	const hasHeader = addsJwtHeader(options.plugins);
	return ({ path, context }: GenericEndpointContext, tenantId: string): void => {
		if (!isCached || tenantId === PLATFORM) return;
		const { issuesTokens, returnsSession } = endpointOf(path);
		if (!issuesTokens && !(returnsSession && hasHeader)) return;
		const { session } = context.options;
		const cookieCache = { ...session?.cookieCache, version: () => crypto.randomUUID() };
		context.options = { ...context.options, session: { ...session, cookieCache } };
	};
};
