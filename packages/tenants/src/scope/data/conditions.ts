import type { Where } from "@better-auth/core/db/adapter";
import type { TenantContext } from "../pin/tenant-context.ts";
import type { ReservedIds } from "./reserved-ids.ts";
import type { ScopedTable } from "./tables.ts";

type ConditionsWith = {
	pin: Pick<TenantContext, "current">;
	reservedIds: ReservedIds;
	/** throws in a tenant of `runWithTenant` that is not open */
	assertOpen: () => Promise<void> | undefined;
};

/** Adds the tenant condition, last and with AND, because the memory adapter combines conditions from left to right. */
export const createConditions = ({ pin, reservedIds, assertOpen }: ConditionsWith) => {
	const withinNamed = async (
		table: ScopedTable,
		where: Where[],
		opening: Promise<void> | undefined,
	): Promise<Where[]> => {
		await opening;
		const tenantId = pin.current();
		const named: Where[] = [];
		for (const condition of where) {
			const ids =
				condition.field === "id" && isEquality(condition)
					? await reservedIds.idsOf(table.key, tenantId, condition.value)
					: null;
			named.push(ids ? { ...condition, operator: "in", value: ids } : condition);
		}
		return [...named, ofTenant(tenantId)];
	};

	return (table: ScopedTable, where: Where[] = []): Where[] | Promise<Where[]> => {
		if (table.scope === "global") return where;
		const opening = assertOpen();
		if (opening || reservedIds.isIn(table.key)) return withinNamed(table, where, opening);
		return [...where, ofTenant(pin.current())];
	};
};

const ofTenant = (tenantId: string): Where => ({
	field: "tenantId",
	value: tenantId,
	operator: "eq",
	connector: "AND",
});

export const isOneOfNone = ({ operator, value, connector }: Where): boolean =>
	operator === "in" && connector !== "OR" && Array.isArray(value) && value.length === 0;

const isEquality = ({ operator }: Where): boolean => (operator ?? "eq") === "eq";

/**
 * Whether the conditions match at most one row of all tenants, so reading it back cannot return another tenant's row.
 */
export const namesOneRow = (table: ScopedTable, where: Where[]): boolean => {
	const names = (condition: Where | undefined, fields: Set<string>) =>
		condition !== undefined && fields.has(condition.field) && isEquality(condition) && condition.connector !== "OR";
	return names(where[0], table.uniqueFields) || where.some((condition) => names(condition, new Set(["id"])));
};
