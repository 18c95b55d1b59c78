/** Whether a user has one of the roles. The admin plugin keeps several in one column, separated by commas. */
export const holdsRole = (held: unknown, roles: readonly string[]): boolean =>
	typeof held === "string" && held.split(",").some((role) => roles.includes(role.trim()));

/** Whether the admin plugin refuses a user at the moment. */
export const isBanned = ({ banned, banExpires }: Record<string, unknown>): boolean =>
	banned === true && (banExpires == null || new Date(banExpires as string | Date).getTime() > Date.now());
