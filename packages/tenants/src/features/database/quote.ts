import type { Dialect } from "./driver.ts";

type Named = { schema: string | null; table: string };

/** Quotes names for a database. */
export const quoteIn = (dialect: Dialect) => {
	const mark = dialect === "mysql" ? "`" : '"';
	const quote = (name: string): string => mark + name.replaceAll(mark, mark + mark) + mark;
	return (name: string | Named): string => {
		if (typeof name === "string") return quote(name);
		return name.schema ? `${quote(name.schema)}.${quote(name.table)}` : quote(name.table);
	};
};
