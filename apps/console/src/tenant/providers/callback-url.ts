import type { Console } from "../../api/console.ts";
import type { OauthProvider } from "./known-providers.ts";
import type { OptionValues } from "./options.ts";

/**
 * The callback URLs of a config that is not stored yet, one for each host of the tenant. Empty if an option names a server: the
 * URLs may then be the tenant's own, and the service decides it when the config is stored.
 */
export const callbackURLsOf = (
	{ shared }: Console["callbackURLs"],
	{ id, options }: OauthProvider,
	values: OptionValues,
): string[] => {
	const namesServer = options.some((option) => {
		const value = values[option.name]?.trim() ?? "";
		return option.kind === "host" && (option.required || (value !== "" && value !== option.default));
	});
	return namesServer ? [] : shared.map((url) => url.replace("{providerId}", id));
};
