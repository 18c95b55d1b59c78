import type { AuthContext } from "@better-auth/core";
import { readingContext } from "../engine/hook.ts";
import type { HintSources } from "../resolve/hint.ts";
import type { CredentialLookup } from "./credential-lookup.ts";
import { decideTenant } from "./decide.ts";

/** A request before the engine has seen it. */
type Sent = {
	/** the endpoint's path below the base path, which must have no parameters */
	path: string;
	request: Request;
	/** as the endpoint will see it */
	body: unknown;
};

export type Foresee = (context: AuthContext, sent: Sent) => Promise<string | null>;

type With = { sources: HintSources; lookUpCredential: CredentialLookup };

/** Only a look-up could tell. */
const cannotTell = (): never => {
	throw new Error("this tenant cannot be told without a look-up");
};

/**
 * Tells which tenant a request will be pinned to, before the engine has seen it. It runs the same decision with the look-ups
 * left out: returns null where one would be needed, and never another tenant than the one that `decideTenant` would return.
 * The tenant need not exist, and the request may still be refused.
 */
export const createForesight =
	({ sources, lookUpCredential }: With): Foresee =>
	async (context, { path, request, body }) => {
		const { headers, method } = request;
		const sent = { path, method, request, headers, body, query: readQuery(request.url), params: {}, context };
		// the engine hands hooks a context of the same shape, and more than its type says
		const ctx = { ...readingContext(sent as never), getSignedCookie: cannotTell };
		try {
			return await decideTenant(ctx, {
				sources,
				lookUpCredential,
				known: { isOpen: async () => true },
				isLive: cannotTell,
			});
		} catch {
			// whatever else is wrong with it, the engine says so itself
			return null;
		}
	};

/** For a look-up of credentials without a database: who carries one cannot be told. */
export const noLookUp = { findMany: cannotTell };

/** The query as the engine's router reads it: a name that stands there twice is a list. */
const readQuery = (url: string): Record<string, unknown> => {
	const values = new Map<string, string | string[]>();
	for (const [name, value] of new URL(url).searchParams) {
		const before = values.get(name);
		if (Array.isArray(before)) before.push(value);
		else values.set(name, before === undefined ? value : [before, value]);
	}
	return Object.fromEntries(values);
};
