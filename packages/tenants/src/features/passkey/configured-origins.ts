import type { AuthContext } from "@better-auth/core";

/** The origins of `passkey({ origin })`. Null if the plugin is not installed. */
export const configuredOrigins = ({ getPlugin }: Pick<AuthContext, "getPlugin">): string[] | null => {
	const plugin: { options?: { origin?: string | string[] | null } } | null = getPlugin("passkey");
	return plugin && [plugin.options?.origin ?? []].flat().filter(Boolean);
};
