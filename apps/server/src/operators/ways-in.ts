import { getCurrentAdapter } from "@better-auth/core/context";
import type { Engine } from "./find-operators.ts";

/** Tables whose rows let in or act for a user, by the column that names the user. A service has those of its plugins. */
const NAMED_BY: Record<string, string> = {
	twoFactor: "userId",
	passkey: "userId",
	apikey: "referenceId",
	deviceCode: "userId",
	oauthAccessToken: "userId",
	oauthRefreshToken: "userId",
	oauthConsent: "userId",
};

/** Seconds for which a signed link to change the email is valid. */
const LINK_LIFETIME = 3_600;

/**
 * Ends whatever could let somebody in besides the password: second factor, passkeys, linked accounts, keys, tokens, devices, and
 * all that was mailed. Of what is stored under an address, it ends rather too much: somebody else asks for their code again.
 */
export const endOtherWaysIn = async (engine: Engine, userId: string, email: string): Promise<void> => {
	const adapter = await getCurrentAdapter(engine.adapter);
	for (const [model, field] of Object.entries(NAMED_BY))
		if (model in engine.tables) await adapter.deleteMany({ model, where: [{ field, value: userId }] });
	await adapter.deleteMany({
		model: "account",
		where: [
			{ field: "userId", value: userId },
			{ field: "providerId", operator: "ne", value: "credential" },
		],
	});
	// in a mailed code or link, the address or the user is a part of the name or of what is stored under it
	for (const field of ["identifier", "value"])
		for (const value of [userId, email])
			await adapter.deleteMany({ model: "verification", where: [{ field, operator: "contains", value }] });
	await endSignedLinks(engine, userId);
};

/**
 * A link to change the email is signed and not stored. The package refuses those that are older than this mark
 * (packages/tenants/src/features/unproven/ended-links.ts); a test uses such a link.
 */
const endSignedLinks = async ({ internalAdapter }: Engine, userId: string): Promise<void> => {
	const now = Date.now();
	await internalAdapter.createVerificationValue({
		identifier: `role-raised-${userId}`,
		value: String(Math.floor(now / 1_000)),
		expiresAt: new Date(now + LINK_LIFETIME * 1_000),
	});
};
