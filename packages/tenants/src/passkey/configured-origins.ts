import type { AuthContext } from "@better-auth/core";

/** What `passkey({ origin })` names; null where the plugin is not there. */
export const configuredOrigins = ({ getPlugin }: Pick<AuthContext, "getPlugin">): string[] | null => {
	const plugin: { options?: { origin?: string | string[] | null } } | null = getPlugin("passkey");
	return plugin && [plugin.options?.origin ?? []].flat().filter(Boolean);
};
