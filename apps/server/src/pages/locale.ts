import { LOCALES, type Locale } from "../lib/locales.ts";

/** The best language of Accept-Language (RFC 9110, section 12.5.4), or the fallback. */
export const preferredLocale = (header: string | undefined, fallback: Locale): Locale => {
	const wanted = (header ?? "")
		.slice(0, 1000)
		.split(",")
		.map((part) => {
			const [tag = "", ...parameters] = part
				.toLowerCase()
				.split(";")
				.map((text) => text.trim());
			const q = parameters.find((one) => one.startsWith("q="))?.slice(2);
			return { language: tag.split("-")[0], weight: q === undefined ? 1 : Number(q) || 0 };
		})
		.filter(({ weight }) => weight > 0)
		// stable: of equal weights the first wins
		.sort((one, other) => other.weight - one.weight);
	for (const { language } of wanted) {
		const found = LOCALES.find((locale) => locale === language);
		if (found) return found;
	}
	return fallback;
};
