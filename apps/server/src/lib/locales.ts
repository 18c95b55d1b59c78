/** The languages of mails. Each has a catalog. */
export const LOCALES = ["en", "de", "fr", "es", "ja"] as const;

export type Locale = (typeof LOCALES)[number];
