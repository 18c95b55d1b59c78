import type { GenericEndpointContext } from "@better-auth/core";
import { opensEmailLinks, readChangeEmailLink } from "../../engine/change-email-link.ts";
import { createHook } from "../../engine/hook.ts";
import { epochOf, timeOf } from "../rights/epoch.ts";

/** The default of `emailVerification.expiresIn`, in seconds. */
const LIFETIME = 3600;

/** The verification that says since when the links of a user are valid. */
export const linksEndOf = (userId: string): string => `role-raised-${userId}`;

/**
 * Ends the links that change the email of a user. They are signed and not stored, and they sign in whoever opens them. Whoever
 * signed up with the address before its owner may have asked for one.
 */
export const endChangeLinks = async ({ context }: GenericEndpointContext, userId: string): Promise<void> => {
	const now = Date.now();
	const lifetime = context.options.emailVerification?.expiresIn ?? LIFETIME;
	await context.internalAdapter.createVerificationValue({
		identifier: linksEndOf(userId),
		value: String(Math.floor(now / 1000)),
		expiresAt: new Date(now + lifetime * 1000),
	});
};

/** Replaces the token of an ended link, so that Better Auth responds as to any invalid token. Better Auth verifies the others. */
export const refuseEndedLinks = {
	matcher: ({ path }: { path?: string }) => opensEmailLinks(path),
	handler: createHook(async ({ query, context: { internalAdapter } }) => {
		const link = readChangeEmailLink(query?.token);
		const found = link && (await internalAdapter.findUserByEmail(link.email.toLowerCase()));
		if (!found) return;
		const ended = { context: { query: { ...query, token: "ended" } } };
		// with `tenantAdmin()`, the end of rights ends links as well: whoever had the session for a moment may have asked for one
		if (link.iat <= Math.floor(timeOf(epochOf(found.user)) / 1000)) return ended;
		const mark = await internalAdapter.findVerificationValue(linksEndOf(found.user.id));
		if (mark && link.iat <= Number(mark.value)) return ended;
	}),
};
