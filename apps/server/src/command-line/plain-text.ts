/**
 * Text for a terminal. Names and messages come from others: what moves the cursor, colours, or turns the reading
 * direction is shown as a question mark and not obeyed.
 */
export const plainText = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu, "?");

/** JSON for a terminal or a program: what a terminal would obey is escaped, and the same to whoever parses it. */
export const plainJson = (value: unknown): string =>
	JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
		character
			.split("")
			.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
			.join(""),
	);

/** Rows as columns of one width each, the last one as long as it is. */
export const alignColumns = (rows: readonly (readonly string[])[], least: readonly number[] = []): string[] => {
	const widths = columnWidths(rows, least);
	return rows.map((row) =>
		row
			.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
			.join("  ")
			.trimEnd(),
	);
};

/** The widest cell of each column, and never less than before: pages that follow each other stay aligned. */
export const columnWidths = (rows: readonly (readonly string[])[], least: readonly number[] = []): number[] => {
	const widths = [...least];
	for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
	return widths;
};

/** `name  value` below each other; what is not set is left out. */
export const alignFields = (fields: Record<string, string | null | undefined>): string =>
	alignColumns(
		Object.entries(fields).flatMap(([name, value]) => (value == null ? [] : [[name, plainText(value)]])),
	).join("\n");
