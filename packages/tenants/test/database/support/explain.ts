import type { Client } from "pg";
import type { Sent } from "./record-statements.ts";

type Node = {
	"Node Type": string;
	"Relation Name"?: string;
	"Index Name"?: string;
	"Index Cond"?: string;
	Plans?: Node[];
};

/** A tenant has one OAuth config per provider. It may have millions of other rows. */
const FEW_IN_A_TENANT = /^tenantOauthConfig_/;

/**
 * Returns the plan of a statement that takes longer as a table or a large tenant grows, otherwise none. Reading all of
 * a small tenant is fine.
 */
export const findScans = async (client: Client, { text, values }: Sent, isLargeTenant: boolean): Promise<string[]> => {
	const { rows } = await client.query<{ "QUERY PLAN": { Plan: Node }[] }>(`explain (format json) ${text}`, values);
	const found = rows[0]?.["QUERY PLAN"].flatMap(({ Plan }) => scansIn(Plan, false)) ?? [];
	return found.filter(({ isOfTenant }) => isLargeTenant || !isOfTenant).map(({ scan }) => scan);
};

/** The same plan as text. */
export const showPlan = async (client: Client, { text, values }: Sent): Promise<string> => {
	const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain ${text}`, values);
	return rows.map((row) => row["QUERY PLAN"]).join("\n");
};

type Found = { scan: string; isOfTenant: boolean };

const scansIn = (node: Node, isLimited: boolean): Found[] => [
	...judge(node, isLimited),
	...(node.Plans ?? []).flatMap((child) =>
		// a sort reads all rows before it returns the first
		scansIn(child, node["Node Type"] === "Limit" || (isLimited && node["Node Type"] !== "Sort")),
	),
];

const judge = (node: Node, isLimited: boolean): Found[] => {
	const { "Node Type": type, "Relation Name": table, "Index Name": index, "Index Cond": condition } = node;
	if (type === "Seq Scan") return [{ scan: `${type} on ${table}`, isOfTenant: false }];
	if (!index) return [];
	if (condition === undefined)
		return isLimited ? [] : [{ scan: `${type} of the whole index ${index}`, isOfTenant: false }];
	// one equality, on the tenant only
	return /^\("?tenantId"? = [^()]*\)$/.test(condition) && !FEW_IN_A_TENANT.test(index)
		? [{ scan: `${type} of a whole tenant, by ${index}`, isOfTenant: true }]
		: [];
};
