import type { TestDatabase } from "test-kit/databases";
import { expect } from "vitest";
import { growUnnoticed, holdTable, planOf } from "../../database/support/grown-tenant.ts";
import { recordStatements } from "../../database/support/record-statements.ts";
import type { ComposedAuth } from "./two-tenants.ts";

/** Deletes a tenant that has just grown through an ORM: by the ids of each batch, and no row of the other tenant. */
export const expectDeletionByKey = async (
	own: TestDatabase,
	auth: ComposedAuth,
	column: (name: string) => string,
): Promise<void> => {
	const newTenant = async (slug: string) => (await auth.api.createTenant({ body: { name: slug, slug } })).id;
	const [known, grown] = [await newTenant("known"), await newTenant("grown")];
	const users = await growUnnoticed(own.query, { known, grown, column });
	const recorder = recordStatements(own.connection);
	const held = await holdTable(own.connection, "user");
	const deletion = auth.api.deleteTenant({ body: { tenantId: grown } });
	const batch = await recorder.until((text) => /^delete from .*"user"/i.test(text));
	expect(await planOf(held.client, batch)).toEqual({ by: ["user_pkey"], discarded: 0 });
	expect(batch.values).toContain(grown);
	await held.release();
	await deletion;
	const tenant = column("tenantId");
	const left = await own.query(
		`select count(*)::int as n from "user" where "${tenant}" in ('${known}', '${grown}') group by "${tenant}"`,
	);
	expect(left).toEqual([{ n: users }]);
};
