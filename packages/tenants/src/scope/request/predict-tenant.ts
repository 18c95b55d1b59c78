import type { AuthContext } from "@better-auth/core";
import { readingContext } from "../../engine/hook.ts";
import { defineService } from "../../engine/service.ts";
import type { HintSources } from "../../resolve/hint.ts";
import { explicitTenant } from "../pin/tenant-context.ts";
import type { CredentialLookup } from "./credential-lookup.ts";
import { decideTenant } from "./decide.ts";

/** A request that the engine has not processed yet. */
type Sent = {
	/** the endpoint's path below the base path; it must have no path parameters */
	path: string;
	request: Request;
	/** the parsed body, as the endpoint will receive it */
	body: unknown;
};

export type PredictTenant = (context: AuthContext, sent: Sent) => Promise<string | null>;

/** Predicts the tenant of a request that the engine has not processed yet. */
export const predictTenantOf = defineService<PredictTenant>("predictTenant");

type With = { sources: HintSources; lookUpCredential: CredentialLookup };

/** Stands for every database lookup. */
const requiresLookup = (): never => {
	throw new Error("the tenant cannot be decided without a database lookup");
};

/**
 * Predicts which tenant a request will be pinned to, before the engine processes it. Runs `decideTenant` without
 * database lookups. Returns null if a lookup would be needed, and never a different tenant than `decideTenant` would
 * return. The tenant may not exist, and the request may still be rejected.
 */
export const createTenantPrediction =
	({ sources, lookUpCredential }: With): PredictTenant =>
	async (context, { path, request, body }) => {
		const explicit = explicitTenant();
		if (explicit !== undefined) return explicit;
		const { headers, method } = request;
		const sent = { path, method, request, headers, body, query: readQuery(request.url), params: {}, context };
		// the engine passes a context of the same shape to hooks, with more properties than its type has
		const ctx = { ...readingContext(sent as never), getSignedCookie: requiresLookup };
		try {
			return await decideTenant(ctx, {
				sources,
				lookUpCredential,
				known: { isOpen: async () => true, admits: async () => true },
				isLive: requiresLookup,
			});
		} catch {
			// the engine itself reports any other error
			return null;
		}
	};

/** For a credential lookup without a database. Throws if a request carries a credential. */
export const noLookUp = { findMany: requiresLookup };

/** The query as the engine's router reads it: a repeated name becomes a list. */
const readQuery = (url: string): Record<string, unknown> => {
	const values = new Map<string, string | string[]>();
	for (const [name, value] of new URL(url).searchParams) {
		const before = values.get(name);
		if (Array.isArray(before)) before.push(value);
		else values.set(name, before === undefined ? value : [before, value]);
	}
	return Object.fromEntries(values);
};
