import type { GenericEndpointContext } from "@better-auth/core";
import type { NameField } from "../../endpoints/endpoint.ts";

/** What the fields are: an email, a username or a phone number. */
const NAMES = { email: "email", newEmail: "email", username: "username", phoneNumber: "phone" } as const;

/**
 * The users that a request names in those fields of its body that its endpoint reads. Values that are the same user to the
 * engine are returned once.
 */
export const namedUsers = (ctx: GenericEndpointContext, fields: readonly NameField[]): string[] => {
	const body: unknown = ctx.body;
	if (typeof body !== "object" || body === null) return [];
	const users = fields.flatMap((field) => {
		const value = (body as Record<string, unknown>)[field];
		if (typeof value !== "string") return [];
		const kind = NAMES[field];
		const name = kind === "username" ? foldUsername(ctx, value) : value;
		return [`${kind}:${name.normalize("NFKC").trim().toLowerCase()}`];
	});
	return [...new Set(users)];
};

/** Normalizes a username with the plugin's own option. An application may ignore more than upper and lower case. */
const foldUsername = ({ context }: GenericEndpointContext, value: string): string => {
	const options: unknown = context.getPlugin("username")?.options;
	if (typeof options !== "object" || options === null || !("usernameNormalization" in options)) return value;
	if (typeof options.usernameNormalization !== "function") return value;
	try {
		const folded: unknown = options.usernameNormalization(value);
		return typeof folded === "string" ? folded : value;
	} catch {
		// the engine reports the error
		return value;
	}
};
