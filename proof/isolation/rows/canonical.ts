/** A result as a text that does not depend on the order of rows, which a database may choose. */
export const canonical = (value: unknown): string => JSON.stringify(sorted(value));

const sorted = (value: unknown): unknown => {
	if (Array.isArray(value)) return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
	if (typeof value === "bigint") return String(value);
	if (typeof value !== "object" || value === null) return value;
	// SQLite numbers the rows of a table, of all tenants
	const entries = Object.entries(value).filter(([name]) => name !== "insertId");
	return Object.fromEntries(entries.map(([name, part]) => [name, sorted(part)]));
};
