import type { BetterAuthPlugin } from "@better-auth/core";

/** Whether the jwt plugin adds a token to every response of `/get-session`, in the header `set-auth-jwt`. */
export const addsJwtHeader = (plugins: readonly BetterAuthPlugin[] | undefined): boolean => {
	const plugin = plugins?.find(({ id }) => id === "jwt");
	const { disableSettingJwtHeader } = (plugin?.options ?? {}) as { disableSettingJwtHeader?: boolean };
	return plugin !== undefined && disableSettingJwtHeader !== true;
};
