import type { OauthProviderOption } from "./known-providers.ts";

/** What was entered for a provider's options. An option that nobody touched is missing. */
export type OptionValues = Record<string, string>;

/** The options to send. Empty ones are left out. */
export const readOptions = (
	options: readonly OauthProviderOption[],
	values: OptionValues,
): Record<string, string | boolean> =>
	Object.fromEntries(
		options.flatMap(({ name, kind }) => {
			const value = values[name]?.trim() ?? "";
			return value === "" ? [] : [[name, kind === "flag" ? value === "true" : value]];
		}),
	);
