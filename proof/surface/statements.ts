/** The tables that these statements read and write. */
export const touchedTables = (statements: string[]): { reads: string[]; writes: string[] } => {
	const reads = new Set<string>();
	const writes = new Set<string>();
	for (const statement of statements) {
		// values may contain anything, and SQLite shows them inline
		const bare = statement.replaceAll(/'(?:[^']|'')*'/g, "''");
		for (const [, table = ""] of bare.matchAll(/\b(?:insert into|update|delete from) "(\w+)"/gi)) writes.add(table);
		for (const [, table = ""] of bare.matchAll(/(?<!delete )\b(?:from|join) "(\w+)"/gi)) reads.add(table);
	}
	return { reads: [...reads].sort(), writes: [...writes].sort() };
};
