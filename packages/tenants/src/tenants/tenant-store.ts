import type { Where } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { orIllTyped } from "../scope/known-tenants.ts";
import { isDatabaseAnswer } from "../scope/outage.ts";
import type { RawAdapter } from "../scope/raw-adapter.ts";
import { TRANSFER_ERROR_CODES } from "../transfer-error-codes.ts";
import type { TenantRow } from "./tenant.ts";

export type TenantStore = ReturnType<typeof createTenantStore>;

type Changes = Partial<Pick<TenantRow, "name" | "slug" | "metadata">>;

/** The list of tenants. It works on the engine's own adapter, below the scope: it is what scopes are made from. */
export const createTenantStore = (adapter: RawAdapter) => {
	/** What the database takes for equal: it compares more loosely than we do. */
	const findLike = (value: string, field: "id" | "slug" = "id"): Promise<TenantRow | null> =>
		adapter.findOne<TenantRow>({ model: "tenant", where: [{ field, value }] }).catch(orIllTyped);

	const findBy = async (field: "id" | "slug", value: string): Promise<TenantRow | null> => {
		const row = await findLike(value, field);
		// one tenant has one id and one slug
		return row && String(row[field]) === value ? row : null;
	};

	/** Who loses a race for a slug finds the winner's row; any other failure is not ours to explain. */
	const orTaken = async <Result>(
		slug: string | undefined,
		self: string | null,
		write: () => Promise<Result>,
	): Promise<Result> => {
		try {
			return await write();
		} catch (error) {
			const holder = slug === undefined ? null : await findBy("slug", slug);
			if (holder && holder.id !== self) throw APIError.from("CONFLICT", TENANT_AUTH_ERROR_CODES.TENANT_SLUG_TAKEN);
			throw error;
		}
	};

	const findOpen = async (by: { id: string } | { slug: string }): Promise<TenantRow | null> => {
		const row = "id" in by ? await findBy("id", by.id) : await findBy("slug", by.slug);
		return row?.status === "active" ? row : null;
	};

	return {
		/** One open tenant; null for a missing one and for one that is being deleted. */
		findOpen,
		find: (id: string): Promise<TenantRow | null> => findBy("id", id),
		create: async (tenant: { name: string; slug: string; metadata: string | null }): Promise<TenantRow> => {
			const now = new Date();
			// asked first, so that the common case costs no failed insert in the database's log
			if (await findBy("slug", tenant.slug)) throw APIError.from("CONFLICT", TENANT_AUTH_ERROR_CODES.TENANT_SLUG_TAKEN);
			return orTaken(tenant.slug, null, () =>
				adapter.create<Omit<TenantRow, "id">, TenantRow>({
					model: "tenant",
					data: { ...tenant, status: "active", createdAt: now, updatedAt: now },
				}),
			);
		},
		/** Makes a tenant under the id that it had elsewhere, or answers the one that is there under both its names. */
		import: async (tenant: Omit<TenantRow, "status">): Promise<{ row: TenantRow; existing: boolean }> => {
			const findExisting = async (): Promise<TenantRow | null> => {
				const row = await findLike(tenant.id);
				if (row && (row.id !== tenant.id || row.slug !== tenant.slug || row.status !== "active"))
					throw APIError.from("CONFLICT", TRANSFER_ERROR_CODES.TENANT_ID_TAKEN);
				const holder = row ?? (await findBy("slug", tenant.slug));
				if (holder && holder.id !== tenant.id)
					throw APIError.from("CONFLICT", TENANT_AUTH_ERROR_CODES.TENANT_SLUG_TAKEN);
				return row;
			};
			const found = await findExisting();
			if (found) return { row: found, existing: true };
			try {
				const data: TenantRow = { ...tenant, status: "active" };
				const row = await adapter.create<TenantRow, TenantRow>({ model: "tenant", data, forceAllowId: true });
				if (row.id === tenant.id) return { row, existing: false };
				// the engine replaced an id that its own kind of ids (uuid, serial) cannot be
				await adapter.delete({ model: "tenant", where: [{ field: "id", value: row.id }] });
			} catch (error) {
				// who loses a race finds the winner's row
				const winner = await findExisting();
				if (winner) return { row: winner, existing: true };
				if (!isDatabaseAnswer(error)) throw error;
			}
			throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_VALUE);
		},
		/** Changes an open tenant; of one that is being deleted `updatedAt` says which deletion it is. */
		update: async (id: string, changes: Changes): Promise<TenantRow | null> => {
			await orTaken(changes.slug, id, () =>
				adapter.updateMany({ model: "tenant", where: open(id), update: { ...changes, updatedAt: new Date() } }),
			);
			return findOpen({ id });
		},
		/**
		 * Whether the tenant is open, and holds it open until the transaction around ends: closing waits for its row. A mere
		 * look would see what MySQL's transaction saw when it began, and be out of date when it commits.
		 */
		holdOpen: async (id: string): Promise<boolean> =>
			(await adapter.updateMany({ model: "tenant", where: open(id), update: { status: "active" } })) > 0,
		/** A page in the order of ids: unique and indexed, so that a deep page costs what the first one does. */
		list: (limit: number, after: string | null): Promise<TenantRow[]> =>
			adapter.findMany<TenantRow>({
				model: "tenant",
				where: [
					{ field: "status", value: "active" },
					...(after === null
						? []
						: [{ field: "id", value: after, operator: "gt" as const, connector: "AND" as const }]),
				],
				sortBy: { field: "id", direction: "asc" },
				limit,
			}),
		/**
		 * Closes a tenant for good and answers when that was; null where there is none. One that is closed already keeps its
		 * time, by which a deletion tells it from one that was made anew under the same id.
		 */
		close: async (id: string): Promise<Date | null> => {
			await adapter.updateMany({
				model: "tenant",
				where: open(id),
				update: { status: "deleting", updatedAt: new Date() },
			});
			const row = await findBy("id", id);
			return row?.status === "deleting" ? row.updatedAt : null;
		},
		/** Whether it is still the tenant that was closed then. */
		isClosing: async (id: string, closedAt: Date): Promise<boolean> => {
			const row = await findBy("id", id);
			return row?.status === "deleting" && row.updatedAt.getTime() === closedAt.getTime();
		},
		/** Takes the tenant that was closed then, and none that was made anew under its id. */
		remove: async (id: string, closedAt: Date): Promise<void> => {
			await adapter.deleteMany({
				model: "tenant",
				where: [
					{ field: "id", value: id },
					{ field: "status", value: "deleting" },
					// not "equal": databases keep finer times than a Date can say
					{ field: "updatedAt", value: new Date(closedAt.getTime() + 1), operator: "lt" },
				],
			});
		},
	};
};

const open = (id: string): Where[] => [
	{ field: "id", value: id },
	{ field: "status", value: "active" },
];
