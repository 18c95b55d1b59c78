import type { Where } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { defineService } from "../../engine/service.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { TRANSFER_ERROR_CODES } from "../../errors/transfer-error-codes.ts";
import { findPrefixPage, type PrefixPageEnd } from "../data/prefix-pages.ts";
import type { RawAdapter } from "../data/raw-adapter.ts";
import { isDriverQueryError } from "../pin/outage.ts";
import { closedError, isClosedStatus } from "../pin/tenant-state.ts";
import { openToServe, orIllTyped } from "./known-tenants.ts";
import type { LifecycleColumns, TenantRow } from "./tenant.ts";
import { type ListedStatus, listed, type PageEnd, readTenantPages, type TenantPage } from "./tenant-pages.ts";

export type TenantStore = ReturnType<typeof createTenantStore>;

/** The stored tenants. */
export const tenantStoreOf = defineService<TenantStore>("tenants");

type Changes = Partial<Pick<TenantRow, "name" | "slug" | "metadata">>;

/** A change of state by an operator. */
export type StateChange = LifecycleColumns & { status: TenantRow["status"] };

export type TenantSearch = { field: "slug" | "name"; prefix: string; status?: ListedStatus | undefined };

type By = { id: string } | { slug: string };

/** Stores tenants. Uses the engine's own unscoped adapter, because tenants define the scopes. */
export const createTenantStore = (adapter: RawAdapter) => {
	const lookups = createLookups(adapter);
	return {
		...createReads(adapter, lookups),
		...createAdditions(adapter, lookups),
		...createChanges(adapter, lookups),
		...createDeletion(adapter, lookups),
	};
};

type Lookups = ReturnType<typeof createLookups>;

/** What the parts of the store share. */
const createLookups = (adapter: RawAdapter) => {
	/** Finds a row that the database considers equal. Databases may ignore case, for example. */
	const findLike = (value: string, field: "id" | "slug" = "id"): Promise<TenantRow | null> =>
		adapter.findOne<TenantRow>({ model: "tenant", where: [{ field, value }] }).catch(orIllTyped);

	const findBy = async (field: "id" | "slug", value: string): Promise<TenantRow | null> => {
		const row = await findLike(value, field);
		// the match must be exact
		return row && String(row[field]) === value ? row : null;
	};

	/** Throws TENANT_SLUG_TAKEN if a parallel call took the slug. Rethrows any other error. */
	const orTaken = async <Result>(
		slug: string | undefined,
		self: string | null,
		write: () => Promise<Result>,
	): Promise<Result> => {
		try {
			return await write();
		} catch (error) {
			const holder = slug === undefined ? null : await findBy("slug", slug);
			if (holder && holder.id !== self) throw slugTakenBy(holder);
			throw error;
		}
	};

	const findNamed = (by: By): Promise<TenantRow | null> => ("id" in by ? findBy("id", by.id) : findBy("slug", by.slug));

	const findOpen = async (by: By): Promise<TenantRow | null> => {
		const row = await findNamed(by);
		return row?.status === "active" ? row : null;
	};

	return { findLike, findBy, orTaken, findNamed, findOpen };
};

const createReads = (adapter: RawAdapter, { findBy, findNamed, findOpen }: Lookups) => ({
	/** Finds an open tenant. Null if it is missing or being deleted. */
	findOpen,
	/** Finds a tenant that operators can read: also a suspended or archived one. Null if it is missing or being deleted. */
	findKept: async (by: By): Promise<TenantRow | null> => {
		const row = await findNamed(by);
		return row && row.status !== "deleting" ? row : null;
	},
	find: (id: string): Promise<TenantRow | null> => findBy("id", id),
	/** Whether a tenant is open, for code that will write in it. Reads the table, not the cache. */
	openToServe: (id: string): Promise<boolean> => openToServe(adapter, id),
	/** The error for a tenant that `findOpen` did not find. For callers who may manage it. */
	notFound: async (by: By | null): Promise<APIError> => {
		const row = by && (await findNamed(by));
		if (row && isClosedStatus(row.status)) return closedError(row.status);
		const { TENANT_BEING_DELETED, TENANT_NOT_FOUND } = TENANT_AUTH_ERROR_CODES;
		return APIError.from("NOT_FOUND", row?.status === "deleting" ? TENANT_BEING_DELETED : TENANT_NOT_FOUND);
	},
	/** Lists one page of tenants that operators can read, newest first. */
	list: (limit: number, after: PageEnd | null, status?: ListedStatus): Promise<TenantPage> =>
		readTenantPages(adapter, status)(limit, after),
	/** Lists one page of tenants by the beginning of their slug or name, in its order. */
	search: (
		{ field, prefix, status }: TenantSearch,
		limit: number,
		after: PrefixPageEnd | null,
	): Promise<{ rows: TenantRow[]; end: PrefixPageEnd | null }> =>
		findPrefixPage<"slug" | "name", TenantRow>(adapter, {
			model: "tenant",
			field,
			prefix,
			limit,
			after,
			where: [listed(status)],
		}),
});

const createAdditions = (adapter: RawAdapter, { findLike, findBy, orTaken }: Lookups) => ({
	/** Creates a tenant. The engine or the database chooses the id if it is null. */
	create: async (
		id: string | null,
		tenant: { name: string; slug: string; metadata: string | null },
	): Promise<TenantRow> => {
		const now = new Date();
		// checked first, so the common case causes no failed insert in the database's log
		const holder = await findBy("slug", tenant.slug);
		if (holder) throw slugTakenBy(holder);
		return orTaken(tenant.slug, null, () =>
			adapter.create<Partial<TenantRow>, TenantRow>({
				model: "tenant",
				data: {
					...(id === null ? {} : { id }),
					...tenant,
					status: "active",
					unserved: true,
					createdAt: now,
					updatedAt: now,
				},
				forceAllowId: id !== null,
			}),
		);
	},
	/** Creates a tenant with a given id. Returns the existing tenant if both id and slug match. */
	import: async (tenant: Omit<TenantRow, "status">): Promise<{ row: TenantRow; existing: boolean }> => {
		const findExisting = async (): Promise<TenantRow | null> => {
			const row = await findLike(tenant.id);
			if (row && (row.id !== tenant.id || row.slug !== tenant.slug || row.status !== "active"))
				throw APIError.from("CONFLICT", TRANSFER_ERROR_CODES.TENANT_ID_TAKEN);
			const holder = row ?? (await findBy("slug", tenant.slug));
			if (holder && holder.id !== tenant.id) throw slugTakenBy(holder);
			return row;
		};
		const found = await findExisting();
		if (found) return { row: found, existing: true };
		try {
			const data: TenantRow = { ...tenant, status: "active" };
			const row = await adapter.create<TenantRow, TenantRow>({ model: "tenant", data, forceAllowId: true });
			if (row.id === tenant.id) return { row, existing: false };
			// the engine replaced the id, because it does not fit the configured kind of ids (uuid, serial)
			await adapter.delete({ model: "tenant", where: [{ field: "id", value: row.id }] });
		} catch (error) {
			// a parallel call may have created the tenant
			const winner = await findExisting();
			if (winner) return { row: winner, existing: true };
			if (!isDriverQueryError(error)) throw error;
		}
		throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_VALUE);
	},
});

const createChanges = (adapter: RawAdapter, { findBy, orTaken, findOpen }: Lookups) => ({
	/** Updates an open tenant. A tenant that is being deleted must keep `updatedAt`, which identifies the deletion. */
	update: async (id: string, changes: Changes): Promise<TenantRow | null> => {
		// checked first: a failed statement would end the transaction of the caller
		const holder = changes.slug === undefined ? null : await findBy("slug", changes.slug);
		if (holder && holder.id !== id) throw slugTakenBy(holder);
		await orTaken(changes.slug, id, () =>
			adapter.updateMany({ model: "tenant", where: open(id), update: { ...changes, updatedAt: new Date() } }),
		);
		return findOpen({ id });
	},
	/**
	 * Returns whether the tenant is open, and locks its row until the surrounding transaction ends, so it cannot be
	 * closed before. A plain read would return MySQL's snapshot from the start of the transaction, which may be out of
	 * date.
	 */
	holdOpen: async (id: string): Promise<boolean> =>
		(await adapter.updateMany({ model: "tenant", where: open(id), update: { status: "active" } })) > 0,
	/**
	 * Changes the state of a tenant if it is still the one that was read. Returns false if another call changed it: two
	 * operators may suspend and restore at the same time, and a deletion is final.
	 */
	changeState: async ({ id, status, statusAt, endsSessions }: TenantRow, update: StateChange): Promise<boolean> => {
		const where: Where[] = [
			{ field: "id", value: id },
			{ field: "status", value: status },
			...(statusAt ? atTime("statusAt", statusAt) : []),
			// a second suspension can add it without a new time
			...(endsSessions === undefined ? [] : [{ field: "endsSessions", value: endsSessions }]),
		];
		return (await adapter.updateMany({ model: "tenant", where, update: { ...update, updatedAt: new Date() } })) > 0;
	},
});

const createDeletion = (adapter: RawAdapter, { findBy }: Lookups) => ({
	/**
	 * Closes a tenant permanently and returns when it was closed. Null if there is no such tenant. A tenant that is
	 * already closed keeps its time. It distinguishes the tenant from a new one with the same id. `isUnserved` is set if
	 * no process has served the tenant, and none can any more.
	 */
	close: async (id: string): Promise<{ closedAt: Date; isUnserved: boolean } | null> => {
		await adapter.updateMany({
			model: "tenant",
			// a suspended or archived tenant too
			where: [
				{ field: "id", value: id },
				{ field: "status", value: "deleting", operator: "ne" },
			],
			update: { status: "deleting", updatedAt: new Date() },
		});
		const row = await findBy("id", id);
		if (row?.status !== "deleting") return null;
		return { closedAt: row.updatedAt, isUnserved: row.unserved === true };
	},
	/** Whether this is still the tenant that was closed at that time. */
	isClosing: async (id: string, closedAt: Date): Promise<boolean> => {
		const row = await findBy("id", id);
		return row?.status === "deleting" && row.updatedAt.getTime() === closedAt.getTime();
	},
	/** Deletes the tenant that was closed at that time, but not a new one with the same id. */
	remove: async (id: string, closedAt: Date): Promise<void> => {
		await adapter.deleteMany({
			model: "tenant",
			where: [
				{ field: "id", value: id },
				{ field: "status", value: "deleting" },
				// not "equal": databases store times more precisely than a Date
				{ field: "updatedAt", value: new Date(closedAt.getTime() + 1), operator: "lt" },
			],
		});
	},
});

const slugTakenBy = ({ status }: TenantRow): APIError => {
	const { TENANT_BEING_DELETED, TENANT_SLUG_TAKEN } = TENANT_AUTH_ERROR_CODES;
	return APIError.from("CONFLICT", status === "deleting" ? TENANT_BEING_DELETED : TENANT_SLUG_TAKEN);
};

/** Not "equal": databases store times more precisely than a Date. */
const atTime = (field: string, at: Date): Where[] => [
	{ field, value: new Date(at.getTime() - 1), operator: "gt" },
	{ field, value: new Date(at.getTime() + 1), operator: "lt" },
];

const open = (id: string): Where[] => [
	{ field: "id", value: id },
	{ field: "status", value: "active" },
];
