import type { HookEndpointContext } from "@better-auth/core";
import { createAuthMiddleware } from "@better-auth/core/api";
import { BASE_ERROR_CODES } from "@better-auth/core/error";
import { isAPIError } from "better-auth/api";
import { endpointOf } from "../../endpoints/endpoints.ts";
import type { HookContext } from "../../engine/hook.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { pinOf } from "../../scope/pin/tenant-context.ts";
import { peekKnowledge } from "./request-knowledge.ts";
import { markBrowser, noteRemoval, unmarkBrowser } from "./sign-up-cookie.ts";

/**
 * Whether the request removed a password, or sent one whose email is not verified. A browser that got a session needs no mark: the
 * session shows the same, and a signed cookie for each sign-up would cost a tenth of it.
 */
export const touchedUnproven = ({ path, context }: HookEndpointContext): boolean => {
	const known = peekKnowledge();
	if (!known) return false;
	return known.removedPassword || (known.hashes.size > 0 && !context.newSession && awaitsProof(path, context.returned));
};

/** Says that the user has to choose a password, or marks the browser as one that knows it. */
export const respondToProof = createAuthMiddleware(async (ctx: HookContext) => {
	const known = peekKnowledge();
	const tenantId = pinOf(ctx).current();
	if (!known || tenantId === PLATFORM) return undefined;
	const { returned } = ctx.context;
	if (!known.removedPassword) {
		const [hash] = [...known.hashes].slice(-1);
		if (hash !== undefined) await markBrowser(ctx, hash);
		return undefined;
	}
	unmarkBrowser(ctx);
	noteRemoval(ctx, tenantId);
	if (isAPIError(returned) || typeof returned !== "object" || returned === null) return undefined;
	return { ...returned, passwordRemoved: true };
});

/** Whether a response is about a user who set or sent a password before their email was verified. */
const awaitsProof = (path: string | undefined, returned: unknown): boolean =>
	isAPIError(returned) ? returned.body?.code === BASE_ERROR_CODES.EMAIL_NOT_VERIFIED.code : endpointOf(path).signsUp;
