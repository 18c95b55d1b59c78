import type { Client } from "pg";
import type { Sent } from "./record-statements.ts";

type Node = {
	"Node Type": string;
	"Relation Name"?: string;
	"Index Name"?: string;
	"Index Cond"?: string;
	Plans?: Node[];
};

/** A tenant has as many OAuth configs as it has providers; of everything else it may have millions. */
const FEW_IN_A_TENANT = /^tenantOauthConfig_/;

/**
 * What PostgreSQL would do for a statement that takes longer the more rows a table has, or a large tenant: none, if all
 * is well. To read all of a small tenant is no mistake.
 */
export const findScans = async (client: Client, { text, values }: Sent, isLargeTenant: boolean): Promise<string[]> => {
	const { rows } = await client.query<{ "QUERY PLAN": { Plan: Node }[] }>(`explain (format json) ${text}`, values);
	const found = rows[0]?.["QUERY PLAN"].flatMap(({ Plan }) => scansIn(Plan, false)) ?? [];
	return found.filter(({ isOfTenant }) => isLargeTenant || !isOfTenant).map(({ scan }) => scan);
};

/** The same plan as people read it. */
export const showPlan = async (client: Client, { text, values }: Sent): Promise<string> => {
	const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain ${text}`, values);
	return rows.map((row) => row["QUERY PLAN"]).join("\n");
};

type Found = { scan: string; isOfTenant: boolean };

const scansIn = (node: Node, isLimited: boolean): Found[] => [
	...judge(node, isLimited),
	...(node.Plans ?? []).flatMap((child) =>
		// a sort has to have read everything before it hands on its first row
		scansIn(child, node["Node Type"] === "Limit" || (isLimited && node["Node Type"] !== "Sort")),
	),
];

const judge = (node: Node, isLimited: boolean): Found[] => {
	const { "Node Type": type, "Relation Name": table, "Index Name": index, "Index Cond": condition } = node;
	if (type === "Seq Scan") return [{ scan: `${type} on ${table}`, isOfTenant: false }];
	if (!index) return [];
	if (condition === undefined)
		return isLimited ? [] : [{ scan: `${type} of the whole index ${index}`, isOfTenant: false }];
	// one equality, and of the tenant alone
	return /^\("?tenantId"? = [^()]*\)$/.test(condition) && !FEW_IN_A_TENANT.test(index)
		? [{ scan: `${type} of a whole tenant, by ${index}`, isOfTenant: true }]
		: [];
};
