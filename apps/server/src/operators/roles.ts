/** Whether a user has one of the roles. The admin plugin keeps several in one column, separated by commas. */
export const holdsRole = (held: unknown, roles: readonly string[]): boolean =>
	typeof held === "string" && held.split(",").some((role) => roles.includes(role.trim()));
