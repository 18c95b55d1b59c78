import type { GenericEndpointContext } from "@better-auth/core";
import { getAuthoritativeSessionFromCtx } from "better-auth/api";
import type { Knowledge } from "./request-knowledge.ts";
import { isMarked } from "./sign-up-cookie.ts";

/**
 * Whether whoever verifies an email also set its password: the request contains the password, its browser sent the password
 * before, or it has a session of the user. Costs the lookup of a session.
 */
export const isOwnProof = async (
	ctx: GenericEndpointContext,
	userId: string,
	{ hash, known }: { hash: string | null; known: Knowledge },
): Promise<boolean> => {
	if (hash !== null && (known.hashes.has(hash) || (await isMarked(ctx, hash)))) return true;
	const { session: before } = ctx.context;
	const found = await getAuthoritativeSessionFromCtx(ctx).catch(() => null);
	// the endpoint reads it by itself, after it has changed the user
	ctx.context.session = before;
	return found?.user.id === userId && found.session.impersonatedBy == null;
};
