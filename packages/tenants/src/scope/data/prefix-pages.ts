import type { DBAdapter, Where } from "@better-auth/core/db/adapter";
import * as z from "zod";

/** The last row of a page: the value that the list is ordered by, and the id. */
export type PrefixPageEnd = [value: string, id: string];

type Search<Field extends string> = {
	model: string;
	/** the list is ordered by it */
	field: Field;
	/** its beginning; empty for all rows */
	prefix: string;
	limit: number;
	after: PrefixPageEnd | null;
	/** further conditions */
	where?: Where[];
};

/** Sorts after every other character, in the collations of the supported databases. */
const LAST = "\u{10FFFF}";

/** The beginning of a value, as an endpoint receives it. */
export const prefixInput = z
	.string()
	.min(1)
	.max(255)
	.regex(/^[^\0]*$/);

/**
 * Finds one page of rows by the beginning of a field. Each page starts after the last row of the page before, so it costs the
 * same wherever it is. The adapter sorts by one field only, so rows with the same value are read by themselves, ordered by id.
 *
 * The range lets the database use its index on the field. With most collations, it cannot use the index for LIKE.
 */
export const findPrefixPage = async <Field extends string, Row extends { id: string } & Record<Field, string>>(
	adapter: Pick<DBAdapter, "findMany">,
	{ model, field, prefix, limit, after, where: further = [] }: Search<Field>,
): Promise<{ rows: Row[]; end: PrefixPageEnd | null }> => {
	const search: Where[] =
		prefix === ""
			? []
			: [
					{ field, value: prefix, operator: "gte" },
					{ field, value: prefix + LAST, operator: "lte" },
					{ field, value: prefix, operator: "starts_with" },
				];
	const read = (where: Where[], by: Field | "id", count: number): Promise<Row[]> =>
		count <= 0
			? Promise.resolve([])
			: adapter.findMany<Row>({
					model,
					where: [...further, ...search, ...where],
					sortBy: { field: by, direction: "asc" },
					limit: count,
				});
	/** Rows whose value the database considers equal, which may ignore case. */
	const readAlike = (value: string, afterId: string | null, count: number): Promise<Row[]> =>
		read(
			[
				{ field, value, operator: "gte" },
				{ field, value, operator: "lte" },
				...(afterId === null ? [] : [{ field: "id", value: afterId, operator: "gt" as const }]),
			],
			"id",
			count,
		);

	// one extra row shows whether there is a next page
	const found = after ? await readAlike(after[0], after[1], limit + 1) : [];
	const next: Where[] = after ? [{ field, value: after[0], operator: "gt" }] : [];
	const others = await read(next, field, limit + 1 - found.length);
	const cut = others[Math.min(limit - found.length, others.length) - 1];
	if (cut && found.length + others.length > limit) {
		// the page may end between rows with the same value
		const value = cut[field];
		const first = others.findIndex((row) => row[field] === value);
		const alike = await readAlike(value, null, limit + 1 - found.length - first);
		found.push(...others.slice(0, first), ...alike);
		if (found.length <= limit) found.push(...others.slice(first + alike.length));
	} else found.push(...others);
	const rows = found.slice(0, limit);
	const last = rows.at(-1);
	return { rows, end: last && found.length > limit ? [last[field], last.id] : null };
};

const end = z.tuple([z.string().regex(/^[^\0]*$/), z.string().min(1).max(255)]);

/** Reads the end of a page from a cursor. Throws for what is no JSON, which `readCursor` reports. */
export const parsePrefixPageEnd = (text: string): PrefixPageEnd | null => end.safeParse(JSON.parse(text)).data ?? null;
