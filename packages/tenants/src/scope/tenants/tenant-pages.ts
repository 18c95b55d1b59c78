import type { Where } from "@better-auth/core/db/adapter";
import type { RawAdapter } from "../data/raw-adapter.ts";
import type { TenantRow } from "./tenant.ts";

/** The last tenant of a page. `isFraction` is set if the database stores its time more precisely than milliseconds. */
export type PageEnd = { createdAt: Date; id: string; isFraction: boolean };

/** One page of tenants. `end` is null on the last page. */
export type TenantPage = { rows: TenantRow[]; end: PageEnd | null };

type Found = { row: TenantRow; isFraction: boolean };

/** A tenant's status as operators see it. */
export type ListedStatus = Exclude<TenantRow["status"], "deleting">;

/** Without a status, suspended and archived tenants are listed too. */
export const listed = (status: ListedStatus | undefined): Where =>
	status === undefined ? { field: "status", value: "deleting", operator: "ne" } : { field: "status", value: status };

/**
 * Reads pages of tenants that are not being deleted, newest first. Each page starts after the last tenant of the page before, so tenants that
 * are created or deleted meanwhile move nothing.
 *
 * Tenants can have the same `createdAt`: an import sets it, and some databases store whole seconds. The adapter sorts by
 * one field only, so tenants of the same time are read by themselves, ordered by id. A row that was inserted with SQL
 * can have microseconds, which a Date rounds down. Equality does not find such rows, so they are a group of their own,
 * before the rows of the exact time.
 *
 * A page costs one query, the pages after the first two, and a page that ends between tenants of the same time two more.
 */
export const readTenantPages = (adapter: RawAdapter, status: ListedStatus | undefined) => {
	const read = (where: Where[], field: "createdAt" | "id", limit: number): Promise<TenantRow[]> =>
		adapter.findMany<TenantRow>({
			model: "tenant",
			where: [listed(status), ...where],
			sortBy: { field, direction: "desc" },
			limit,
		});

	/** Tenants of one millisecond, ordered by id by the database: collations differ, and so do the types of ids. */
	const readGroup = async (at: Date, limit: number, after: { id: string; isFraction: boolean } | null) => {
		const found: Found[] = [];
		for (const isFraction of [true, false]) {
			if (found.length >= limit || (isFraction && after?.isFraction === false)) continue;
			const time: Where[] = isFraction
				? [
						{ field: "createdAt", value: at, operator: "gt" },
						{ field: "createdAt", value: new Date(at.getTime() + 1), operator: "lt" },
					]
				: [{ field: "createdAt", value: at }];
			const below: Where[] = after?.isFraction === isFraction ? [{ field: "id", value: after.id, operator: "lt" }] : [];
			const rows = await read([...time, ...below], "id", limit - found.length);
			found.push(...rows.map((row) => ({ row, isFraction })));
		}
		return found;
	};

	/**
	 * The newest tenants before a time, and whether there are more of them. If the page ends inside a group, the group is read
	 * again in its own order. A tenant that is deleted in between must not make this page the last one.
	 */
	const readOlder = async (before: Date | null, shown: number): Promise<{ found: Found[]; hasMore: boolean }> => {
		const where: Where[] = before ? [{ field: "createdAt", value: before, operator: "lt" }] : [];
		const rows = await read(where, "createdAt", shown + 1);
		const found = rows.map((row) => ({ row, isFraction: false }));
		const hasMore = rows.length > shown;
		const last = rows[Math.min(shown, rows.length) - 1];
		if (!last) return { found, hasMore };
		const at = last.createdAt.getTime();
		const first = rows.findIndex(({ createdAt }) => createdAt.getTime() === at);
		const next = rows.findIndex(({ createdAt }) => createdAt.getTime() < at);
		const end = next === -1 ? rows.length : next;
		if (end - first < 2) return { found, hasMore };
		const group = await readGroup(last.createdAt, end - first, null);
		return { found: [...found.slice(0, first), ...group, ...found.slice(end)], hasMore };
	};

	return async (limit: number, after: PageEnd | null): Promise<TenantPage> => {
		// one extra tenant shows whether there is a next page
		const same = after ? await readGroup(after.createdAt, limit + 1, after) : [];
		const older =
			same.length > limit
				? { found: [], hasMore: true }
				: await readOlder(after?.createdAt ?? null, limit - same.length);
		const page = [...same, ...older.found].slice(0, limit);
		const last = older.hasMore ? page.at(-1) : undefined;
		return {
			rows: page.map(({ row }) => row),
			end: last ? { createdAt: last.row.createdAt, id: last.row.id, isFraction: last.isFraction } : null,
		};
	};
};
