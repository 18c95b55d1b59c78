import type { GenericEndpointContext } from "@better-auth/core";

/** What endpoints call the e-mail, the username or the phone number that they are about. */
const NAMES = { email: "email", newEmail: "email", username: "username", phoneNumber: "phone" } as const;

/**
 * Whom a request is about, as it says itself. All that it names: the endpoint may read only one of them. Spellings that
 * mean one person to the engine are one here.
 */
export const namedPeople = (ctx: GenericEndpointContext): string[] => {
	const body: unknown = ctx.body;
	if (typeof body !== "object" || body === null) return [];
	const people = Object.entries(NAMES).flatMap(([field, kind]) => {
		const value = (body as Record<string, unknown>)[field];
		if (typeof value !== "string") return [];
		const name = kind === "username" ? foldUsername(ctx, value) : value;
		return [`${kind}:${name.normalize("NFKC").trim().toLowerCase()}`];
	});
	return [...new Set(people)];
};

/** As the engine's plugin was told to: an application may take more than capitals for the same. */
const foldUsername = ({ context }: GenericEndpointContext, value: string): string => {
	const options: unknown = context.getPlugin("username")?.options;
	if (typeof options !== "object" || options === null || !("usernameNormalization" in options)) return value;
	if (typeof options.usernameNormalization !== "function") return value;
	try {
		const folded: unknown = options.usernameNormalization(value);
		return typeof folded === "string" ? folded : value;
	} catch {
		// whoever signs in by it hears of it from the engine
		return value;
	}
};
