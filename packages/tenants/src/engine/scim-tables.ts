import type { AuthContext } from "@better-auth/core";
import type { DBAdapter } from "@better-auth/core/db/adapter";

/** What this package reads of the SCIM plugin's tables. test/engine/scim-tables.test.ts fails if the plugin changes it. */
const FIELDS = { scimSubject: ["userId"], scimUser: ["userId", "active"] };

/** Whether the application uses the SCIM plugin. */
export const hasScim = ({ options }: Pick<AuthContext, "options">): boolean =>
	options.plugins?.some(({ id }) => id === "scim") === true;

/** Complains about a SCIM plugin whose tables are others than those read here: users it deactivated could sign in. */
export const checkScimTables = (context: Pick<AuthContext, "options" | "tables">): string[] => {
	if (!hasScim(context)) return [];
	const missing = Object.entries(FIELDS).flatMap(([table, fields]) =>
		fields.filter((field) => !context.tables[table]?.fields[field]).map((field) => `${table}.${field}`),
	);
	return missing.length === 0
		? []
		: [
				`the scim() plugin has no ${missing.join(", ")}, so users whom a directory deactivated could sign in. Use the version of @better-auth/scim that docs/plugins.md names.`,
			];
};

/** Whether directories know a user, and none has them as active. A deleted user has no source any more. */
export const isDeactivatedIn = async (
	rows: Pick<DBAdapter, "findOne" | "findMany">,
	userId: string,
): Promise<boolean> => {
	const where = [{ field: "userId", value: userId }];
	if (!(await rows.findOne({ model: "scimSubject", where, select: ["id"] }))) return false;
	const sources = await rows.findMany<{ active: boolean }>({ model: "scimUser", where });
	return !sources.some(({ active }) => active);
};
