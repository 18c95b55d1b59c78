/**
 * Text for a terminal. Names and messages come from others, so characters that move the cursor, set colors or change
 * the reading direction are replaced with a question mark.
 */
export const plainText = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu, "?");

/** JSON for a terminal or a program. Control characters are escaped, which parses to the same value. */
export const plainJson = (value: unknown): string =>
	JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
		character
			.split("")
			.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
			.join(""),
	);

/** Aligns rows into columns. The last column is not padded. */
export const alignColumns = (rows: readonly (readonly string[])[], least: readonly number[] = []): string[] => {
	const widths = columnWidths(rows, least);
	return rows.map((row) =>
		row
			.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
			.join("  ")
			.trimEnd(),
	);
};

/** The width of each column, never less than `least`, so consecutive pages stay aligned. */
export const columnWidths = (rows: readonly (readonly string[])[], least: readonly number[] = []): number[] => {
	const widths = [...least];
	for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
	return widths;
};

/** One `name  value` per line. Fields without a value are omitted. */
export const alignFields = (fields: Record<string, string | null | undefined>): string =>
	alignColumns(
		Object.entries(fields).flatMap(([name, value]) => (value == null ? [] : [[name, plainText(value)]])),
	).join("\n");
