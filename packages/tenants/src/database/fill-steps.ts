import { derivedValue } from "../scope/derived-value.ts";
import type { Driver } from "./driver.ts";
import type { Finding } from "./findings.ts";
import { quoteIn } from "./quote.ts";

type Unfilled = Extract<Finding, { kind: "unfilled" }>;

/**
 * Fills a derived column as the scoped adapter does for new rows: in one statement where the value stands in it in clear,
 * and row by row where it is shortened to a hash, which not every database can make.
 */
export const fillColumn = async ({ dialect, ask }: Driver, finding: Unfilled): Promise<string[]> => {
	const { names, column, from, tenant, derived } = finding;
	const quote = quoteIn(dialect);
	const table = quote(names);
	const clear =
		dialect === "mysql" ? `concat(${quote(tenant)}, ':', ${quote(from)})` : `${quote(tenant)} || ':' || ${quote(from)}`;
	const unfilled = `${quote(from)} is not null and ${quote(column)} is null`;
	// what has so many bytes has no more characters, however they are counted
	const bytes = dialect === "sqlite" ? `length(cast(${clear} as blob))` : `octet_length(${clear})`;
	const id = quote(names.column("id"));
	const hashed = await ask(
		`select ${id} as id, ${quote(tenant)} as tenant, ${quote(from)} as value from ${table} where ${unfilled}${derived.isReference ? "" : ` and ${bytes} > 255`}`,
	);
	const literal = (value: unknown): string => {
		const text = String(value).replaceAll("'", "''");
		return `'${dialect === "mysql" ? text.replaceAll("\\", "\\\\") : text}'`;
	};
	const single = await Promise.all(
		hashed.map(async (row) => {
			const value = await derivedValue(derived, String(row.tenant), row.value);
			return `update ${table} set ${quote(column)} = ${literal(value)} where ${id} = ${literal(row.id)}`;
		}),
	);
	if (derived.isReference) return single;
	return [`update ${table} set ${quote(column)} = ${clear} where ${unfilled} and ${bytes} <= 255`, ...single];
};
