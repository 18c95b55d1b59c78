/** A slug from a name: "Café & Co" becomes "cafe-co". */
export const slugOf = (name: string): string =>
	name
		.normalize("NFKD")
		.replace(/ß/g, "ss")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.replace(/^-/, "")
		.slice(0, 63)
		// every run of other characters became one hyphen
		.replace(/-$/, "");

/** Why the service would refuse a slug, or null. It also has a list of reserved ones. */
export const slugProblem = (slug: string): string | null => {
	if (slug.length < 2 || slug.length > 63) return "Use 2 to 63 characters.";
	if (/[^a-z0-9-]/.test(slug)) return "Use only a-z, 0-9 and -.";
	if (slug.startsWith("-") || slug.endsWith("-")) return "Begin and end with a letter or a digit.";
	if (slug.slice(2, 4) === "--") return "The third and fourth characters cannot both be -.";
	return null;
};
