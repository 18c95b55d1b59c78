import type { Config } from "../config/config.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning } = findingsOf("console");

type ConsoleOf = Pick<Config, "console" | "management" | "pages">;

/** Checks that somebody can open the console. The schema check knows its tables. */
export const checkConsole = async ({ console, management, pages }: ConsoleOf): Promise<Finding[]> => {
	if (!console.enabled) return [ok("Off")];
	const hasOperators = management.userIds.length + management.roles.length > 0;
	return [
		ok(`On for owners and admins of tenants${hasOperators ? ", and for operators" : ""}`),
		...(hasOperators
			? []
			: [
					warning(
						"No user is an operator, so nobody can open the console of the platform",
						"Set MANAGEMENT_ROLES=admin, or MANAGEMENT_USER_IDS.",
					),
				]),
		...(pages.enabled ? [] : [ok("Tenants have no branding, because PAGES is off")]),
	];
};
