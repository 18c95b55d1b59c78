import { runWithTenant } from "better-auth-tenants";
import { expect, it } from "vitest";
import { createSurface } from "./engine.ts";

/** More than any field may have. */
const HUGE = "x".repeat(600_000);
/** Set by this package alone: whatever a caller sends is dropped. */
const isOwn = (field: string): boolean => field === "tenantId" || field.startsWith("tenantUnique_");
/** Not of the scoped adapter: `auth.api` writes them, and checks every field. */
const CLOSED = ["tenant"];

const codeOf = async (write: () => Promise<unknown>): Promise<unknown> =>
	write().then(
		() => "stored",
		(error: { body?: { code?: string } }) => error.body?.code ?? String(error),
	);

// threat 154
it("every field of every table has a bound, with all plugins, in two tenants and on the platform", async () => {
	const world = await createSurface({ companions: true });
	const { adapter, tables } = await world.auth.$context;
	const tenants = [await world.newTenant(), await world.newTenant()];
	const unbounded: string[] = [];
	let fields = 0;
	for (const [model, table] of Object.entries(tables)) {
		if (CLOSED.includes(model)) continue;
		for (const [field, { type }] of Object.entries(table.fields)) {
			if (isOwn(field)) continue;
			fields += 1;
			const value = type === "json" ? { text: HUGE } : String(type).endsWith("[]") ? [HUGE] : HUGE;
			const change = () =>
				// settings of a provider are sealed with its id, one row at a time
				model === "ssoProvider"
					? adapter.create({ model, data: { [field]: value } })
					: adapter.updateMany({ model, where: [], update: { [field]: value } });
			const inTenants = tenants.map((tenant) => runWithTenant(tenant, () => codeOf(change)));
			const answers = [...(await Promise.all(inTenants)), await codeOf(change)];
			// a reference is looked up in the tenant first
			if (answers.some((code) => code !== "FIELD_TOO_LONG" && code !== "REFERENCE_NOT_IN_TENANT"))
				unbounded.push(`${model}.${field}: ${answers.join(", ")}`);
		}
	}
	expect(unbounded).toEqual([]);
	expect(fields).toBeGreaterThan(250);
});
