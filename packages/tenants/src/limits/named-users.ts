import type { GenericEndpointContext } from "@better-auth/core";

/** The body fields in which endpoints take an email, a username or a phone number. */
const NAMES = { email: "email", newEmail: "email", username: "username", phoneNumber: "phone" } as const;

/**
 * Returns all users that a request names, because the endpoint may read any of the names. Spellings that the engine treats as
 * equal are equal here.
 */
export const namedUsers = (ctx: GenericEndpointContext): string[] => {
	const body: unknown = ctx.body;
	if (typeof body !== "object" || body === null) return [];
	const users = Object.entries(NAMES).flatMap(([field, kind]) => {
		const value = (body as Record<string, unknown>)[field];
		if (typeof value !== "string") return [];
		const name = kind === "username" ? foldUsername(ctx, value) : value;
		return [`${kind}:${name.normalize("NFKC").trim().toLowerCase()}`];
	});
	return [...new Set(users)];
};

/** Applies the `usernameNormalization` of the username plugin, which may do more than lower-case. */
const foldUsername = ({ context }: GenericEndpointContext, value: string): string => {
	const options: unknown = context.getPlugin("username")?.options;
	if (typeof options !== "object" || options === null || !("usernameNormalization" in options)) return value;
	if (typeof options.usernameNormalization !== "function") return value;
	try {
		const folded: unknown = options.usernameNormalization(value);
		return typeof folded === "string" ? folded : value;
	} catch {
		// the engine reports it when the username is used to sign in
		return value;
	}
};
