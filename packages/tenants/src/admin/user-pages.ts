import type { DBAdapter, Where } from "@better-auth/core/db/adapter";
import type { UserRow } from "./user.ts";

/** The last user of a page: the value that the list is ordered by, and the id. */
export type PageEnd = [value: string, id: string];

type Search = { field: "email" | "name"; prefix: string; limit: number; after: PageEnd | null };

/** Sorts after every other character, in the collations of the supported databases. */
const LAST = "\u{10FFFF}";

/**
 * Finds one page of users of the current tenant. Each page starts after the last user of the page before, so it costs the same
 * wherever it is. The adapter sorts by one field only, so users with the same name are read by themselves, ordered by id.
 *
 * The range lets the database use its index on the tenant and the field. With most collations, it cannot use the index for
 * LIKE.
 */
export const findUserPage = async (
	adapter: Pick<DBAdapter, "findMany">,
	{ field, prefix, limit, after }: Search,
): Promise<{ users: UserRow[]; end: PageEnd | null }> => {
	const search: Where[] =
		prefix === ""
			? []
			: [
					{ field, value: prefix, operator: "gte" },
					{ field, value: prefix + LAST, operator: "lte" },
					{ field, value: prefix, operator: "starts_with" },
				];
	const read = (where: Where[], by: "email" | "name" | "id", count: number): Promise<UserRow[]> =>
		count <= 0
			? Promise.resolve([])
			: adapter.findMany<UserRow>({
					model: "user",
					where: [...search, ...where],
					sortBy: { field: by, direction: "asc" },
					limit: count,
				});
	/** Users whose value the database considers equal, which may ignore case. */
	const readAlike = (value: string, afterId: string | null, count: number): Promise<UserRow[]> =>
		read(
			[
				{ field, value, operator: "gte" },
				{ field, value, operator: "lte" },
				...(afterId === null ? [] : [{ field: "id", value: afterId, operator: "gt" as const }]),
			],
			"id",
			count,
		);

	// one extra user shows whether there is a next page
	const found = after ? await readAlike(after[0], after[1], limit + 1) : [];
	const next: Where[] = after ? [{ field, value: after[0], operator: "gt" }] : [];
	const others = await read(next, field, limit + 1 - found.length);
	const cut = others[Math.min(limit - found.length, others.length) - 1];
	if (cut && found.length + others.length > limit) {
		// the page may end between users with the same value
		const value = cut[field];
		const first = others.findIndex((user) => user[field] === value);
		const alike = await readAlike(value, null, limit + 1 - found.length - first);
		found.push(...others.slice(0, first), ...alike);
		if (found.length <= limit) found.push(...others.slice(first + alike.length));
	} else found.push(...others);
	const users = found.slice(0, limit);
	const last = users.at(-1);
	return { users, end: last && found.length > limit ? [last[field], last.id] : null };
};
