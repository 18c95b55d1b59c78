import * as z from "zod";

/** What a provider says of a user, as far as it is stored. */
export const person = z.looseObject({
	name: z.string().max(500).optional().catch(undefined),
	email: z.email().max(320).nullish(),
	// some providers send the picture itself
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
	// "true" and 1 are not a verified e-mail
	emailVerified: z.boolean().catch(false),
});

/** With the mark of its authority it has to fit into 255 characters. */
const MAX_SUBJECT = 220;

/** The engine turns whatever it gets into text, so that all people whose subject is an object would be one person. */
export const subjectOf = (subject: unknown): string => {
	const isText = typeof subject === "string" && subject.trim() !== "" && subject.length <= MAX_SUBJECT;
	// what template strings make of nothing
	if (isText && subject !== "undefined" && subject !== "null") return subject;
	if (typeof subject === "number" && Number.isSafeInteger(subject)) return String(subject);
	throw new Error("The provider names its account by something that is no name");
};
