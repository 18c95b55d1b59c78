import type { AuthContext } from "@better-auth/core";
import { isGlobalTable } from "../../scope/data/tables.ts";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import type { Row } from "./database.ts";
import type { TenantIsolationSide } from "./side.ts";

type Field = AuthContext["tables"][string]["fields"][string];

/** Registered through endpoints of this plugin. The platform has none. */
const NOT_MADE_UP = new Set(["tenantOauthConfig", "tenantDomain"]);

/**
 * What is valid in columns whose content a plugin reads. With a policy that cannot be read, every request of the tenant fails as soon
 * as the cached one expires, and the attacks after that prove nothing.
 */
const VALID: Record<string, Row> = { tenantPolicy: { rules: "{}", revision: 1 } };

/** Writes the canary into every empty text column of the side's users. */
export const plantCanaries = async (context: AuthContext, side: TenantIsolationSide): Promise<void> => {
	const fields = Object.entries(context.tables.user?.fields ?? {});
	for (const [index, { userId }] of side.users.entries()) {
		const where = [{ field: "id", value: userId }];
		const find = () => context.adapter.findOne<Row>({ model: "user", where });
		const row = await runInKnownTenant(side.tenantId, find);
		const update: Row = {};
		for (const [name, field] of fields) {
			if (field.type !== "string" || row?.[name] != null || field.references || !isFreeText(name)) continue;
			update[name] = `${side.canary}${name.toLowerCase()}${index}`;
		}
		if (index === 0 && "role" in (context.tables.user?.fields ?? {})) update.role = adminRole(context);
		if (Object.keys(update).length === 0) continue;
		await runInKnownTenant(side.tenantId, () => context.adapter.update({ model: "user", where, update }));
	}
};

/** Excludes what the plugin writes, derived columns and epochs, whose change ends sessions, and ids of other systems. */
const isFreeText = (name: string): boolean => !/^tenantUnique_|Id$|Epoch$|role|status/i.test(name);

const adminRole = ({ options }: AuthContext): string => {
	const roles: unknown = options.plugins?.find(({ id }) => id === "admin")?.options?.adminRoles;
	const [first] = [roles].flat();
	return typeof first === "string" ? first : "admin";
};

/** Adds one row to every empty table, through the scoped adapter. Returns the tables that stay empty. */
export const makeUpRows = async (
	context: AuthContext,
	order: string[],
	side: TenantIsolationSide,
): Promise<string[]> => {
	const empty: string[] = [];
	for (const table of order) {
		const fields = context.tables[table]?.fields;
		if (!fields?.tenantId || isGlobalTable(table) || NOT_MADE_UP.has(table) || (side.rows[table]?.length ?? 0) > 0)
			continue;
		try {
			const data = { ...makeUp(context, side, fields), ...VALID[table] };
			const row = await runInKnownTenant(side.tenantId, () => context.adapter.create<Row>({ model: table, data }));
			side.rows = { ...side.rows, [table]: [row] };
		} catch {
			// the database or the schema has a rule that cannot be guessed; `prepare` can fill the table
			empty.push(table);
		}
	}
	return empty;
};

const makeUp = (context: AuthContext, side: TenantIsolationSide, fields: Record<string, Field>): Row => {
	const row: Row = {};
	for (const [name, field] of Object.entries(fields)) {
		if (name === "tenantId" || name.startsWith("tenantUnique_")) continue;
		const target = field.references?.model ?? /^(.+)Id$/.exec(name)?.[1];
		const referenced = target && rowsNamed(context, side, target)[0];
		if (referenced) row[name] = referenced[field.references?.field ?? "id"];
		else if (field.references && field.required === false) continue;
		else if (field.defaultValue === undefined) row[name] = valueFor(side, name, field);
	}
	return row;
};

const rowsNamed = ({ tables }: AuthContext, side: TenantIsolationSide, name: string): Row[] => {
	const key = Object.keys(tables).find(
		(table) => table.toLowerCase() === name.toLowerCase() || tables[table]?.modelName === name,
	);
	return (key && side.rows[key]) || [];
};

const valueFor = (side: TenantIsolationSide, name: string, { type }: Field): unknown => {
	if (Array.isArray(type)) return type[0];
	if (type === "date") return new Date(Date.now() + 86_400_000);
	if (type === "number") return 1;
	if (type === "number[]") return [1];
	if (type === "boolean") return false;
	if (type === "string[]") return [`${side.canary}${name}`];
	if (type === "json" || /metadata|permission|data$|config$/i.test(name)) return JSON.stringify({ note: side.canary });
	if (/e?mail/i.test(name)) return side.users.at(-1)?.email;
	if (/role$/i.test(name)) return "member";
	if (/status$/i.test(name)) return "pending";
	return `${side.canary}${name.toLowerCase()}`;
};
