import type { Console } from "../../api/console.ts";
import type { OauthProvider } from "./known-providers.ts";
import type { OptionValues } from "./options.ts";

/**
 * The callback URL of a config that is not stored yet. Null if an option names a server: the URL may then be the tenant's own,
 * and the service decides it when the config is stored.
 */
export const callbackURLOf = (
	{ shared }: Console["callbackURLs"],
	{ id, options }: OauthProvider,
	values: OptionValues,
): string | null => {
	const namesServer = options.some((option) => {
		const value = values[option.name]?.trim() ?? "";
		return option.kind === "host" && (option.required || (value !== "" && value !== option.default));
	});
	return namesServer ? null : shared.replace("{providerId}", id);
};
