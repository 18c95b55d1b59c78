import type { DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";

type Reads = Pick<DBTransactionAdapter, "findOne" | "findMany">;
type FindOne = Parameters<Reads["findOne"]>[0];
type FindMany = Parameters<Reads["findMany"]>[0];

/** How many rows are read at a time, if look-alikes took the place of the rows that were asked for. */
const PAGE = 100;

/**
 * MySQL's usual collations treat `Ada`, `ada`, `àda` and `ada ` as equal, so one user's subject, email or token would find
 * another user's row. Drops rows whose text is not exactly equal. Other databases never return such rows.
 *
 * A limited read returns look-alikes in place of the rows: whoever asks for a code for a number with a blank would hide the
 * code of that number. So if rows were dropped from a full page, it is read again, without the limit. This costs one more
 * statement, or one for each hundred look-alikes, and none otherwise.
 */
export const exactRows = ({ findOne, findMany }: Reads): Reads => {
	const readOn = async <T>(query: FindMany, limit: number): Promise<T[]> => {
		const found: T[] = [];
		for (let offset = 0; ; offset += PAGE) {
			const page = await findMany<T>({ ...query, limit: PAGE, offset });
			found.push(...page.filter((row) => equalsExactly(row, query.where)));
			if (found.length >= limit || page.length < PAGE) return found.slice(0, limit);
		}
	};

	return {
		findOne: async <T>(query: FindOne): Promise<T | null> => {
			const row = await findOne<T>(query);
			if (!row || equalsExactly(row, query.where)) return row;
			// a stable order, because it may take several pages
			const [exact] = await readOn<T>({ ...query, sortBy: { field: "id", direction: "asc" } }, 1);
			return exact ?? null;
		},
		findMany: async <T>(query: FindMany): Promise<T[]> => {
			const rows = await findMany<T>(query);
			const exact = rows.filter((row) => equalsExactly(row, query.where));
			const limit = query.limit ?? rows.length;
			// a page that was not full had all rows, and a later page of a list has a place in the order of all rows
			if (exact.length === rows.length || rows.length < limit || query.offset) return exact;
			return readOn<T>(query, limit);
		},
	};
};

const equalsExactly = (row: unknown, where: Where[] = []): boolean =>
	where.every(({ field, value, operator, connector, mode }) => {
		if ((operator ?? "eq") !== "eq" || connector === "OR" || mode === "insensitive" || typeof value !== "string")
			return true;
		const stored = (row as Record<string, unknown>)[field];
		return typeof stored !== "string" || stored === value;
	});
