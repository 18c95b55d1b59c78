import * as z from "zod";

/** The fields of a provider's profile that are stored. */
export const userProfile = z.looseObject({
	name: z.string().max(500).optional().catch(undefined),
	email: z.email().max(320).nullish(),
	// some providers send the image itself as a data URL
	image: z
		.union([
			z.url({ protocol: /^https?$/ }).max(2000),
			z
				.string()
				.max(200_000)
				.regex(/^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/),
		])
		.nullish()
		.catch(null),
	// "true" and 1 do not count as verified
	emailVerified: z.boolean().catch(false),
});

/** The account id, which is the subject and the mark of its authority, must fit into 255 characters. */
const MAX_SUBJECT = 220;

/**
 * Checks a subject. The engine converts any value to text, so all users whose subject is an object would share one
 * account.
 */
export const subjectOf = (subject: unknown): string => {
	const isText = typeof subject === "string" && subject.trim() !== "" && subject.length <= MAX_SUBJECT;
	// a template string with a missing value produces these
	if (isText && subject !== "undefined" && subject !== "null") return subject;
	if (typeof subject === "number" && Number.isSafeInteger(subject)) return String(subject);
	throw new Error("The provider's account id is neither text nor an integer");
};
