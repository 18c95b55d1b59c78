import { derivedValue } from "../../scope/data/derived-value.ts";
import type { Driver } from "./driver.ts";
import type { Finding } from "./findings.ts";
import { quoteIn } from "./quote.ts";

type Unfilled = Extract<Finding, { kind: "unfilled" }>;
/** statements for many rows, whose condition ends in `and`s, and for single rows */
type Filling = { many: string[]; single: string[] };

/**
 * Returns the SQL that fills a derived column with the values that the scoped adapter writes for new rows. Plain values
 * take one statement. Hashed values take one statement per row, because not every database can compute the hash.
 */
export const fillColumn = async ({ dialect, ask }: Driver, finding: Unfilled): Promise<Filling> => {
	const { names, column, from, tenant, derived } = finding;
	const quote = quoteIn(dialect);
	const table = quote(names);
	const plain =
		dialect === "mysql" ? `concat(${quote(tenant)}, ':', ${quote(from)})` : `${quote(tenant)} || ':' || ${quote(from)}`;
	const unfilled = `${quote(from)} is not null and ${quote(column)} is null`;
	// compares bytes: a text never has more characters than bytes
	const bytes = dialect === "sqlite" ? `length(cast(${plain} as blob))` : `octet_length(${plain})`;
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
	const many = `update ${table} set ${quote(column)} = ${plain} where ${unfilled} and ${bytes} <= 255`;
	return { many: derived.isReference ? [] : [many], single };
};
