import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { orIllTyped } from "../scope/known-tenants.ts";
import type { UnscopedAdapter } from "../scope/unscoped.ts";
import type { TenantRow } from "./tenant.ts";

export type TenantStore = ReturnType<typeof createTenantStore>;

type Changes = Partial<Pick<TenantRow, "name" | "slug" | "metadata">>;

/** The list of tenants. It works on the engine's own adapter, below the scope: it is what scopes are made from. */
export const createTenantStore = (adapter: UnscopedAdapter) => {
	const findBy = async (field: "id" | "slug", value: string): Promise<TenantRow | null> => {
		const row = await adapter.findOne<TenantRow>({ model: "tenant", where: [{ field, value }] }).catch(orIllTyped);
		// databases compare more loosely than we do: one tenant has one id and one slug
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

	return {
		/** One open tenant; null for a missing one and for one that is being deleted. */
		findOpen: async (by: { id: string } | { slug: string }): Promise<TenantRow | null> => {
			const row = "id" in by ? await findBy("id", by.id) : await findBy("slug", by.slug);
			return row?.status === "active" ? row : null;
		},
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
		update: async (id: string, changes: Changes): Promise<TenantRow | null> =>
			orTaken(changes.slug, id, () =>
				adapter.update<TenantRow>({
					model: "tenant",
					where: [{ field: "id", value: id }],
					update: { ...changes, updatedAt: new Date() },
				}),
			),
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
		/** Closes a tenant for good. */
		close: async (id: string): Promise<void> => {
			await adapter.update({
				model: "tenant",
				where: [{ field: "id", value: id }],
				update: { status: "deleting", updatedAt: new Date() },
			});
		},
		remove: async (id: string): Promise<void> => {
			await adapter.delete({ model: "tenant", where: [{ field: "id", value: id }] });
		},
	};
};
