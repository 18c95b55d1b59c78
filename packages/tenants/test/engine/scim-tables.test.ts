import { scim } from "@better-auth/scim";
import type { BetterAuthPlugin } from "better-auth";
import { composedWorld } from "test-kit/composed-world";
import { expect, it } from "vitest";
import { checkScimTables } from "../../src/engine/scim-tables.ts";

const directory = () => scim({ connections: [], managedConnections: { credentialHashSecret: "s".repeat(40) } });

it("the SCIM plugin keeps who is active in the fields that this package reads", async () => {
	const { auth } = await composedWorld([directory()]);
	const context = await auth.$context;
	expect(context.tables.scimUser?.fields.active?.type).toBe("boolean");
	expect(checkScimTables(context)).toEqual([]);
});

// threat 172
it("a SCIM plugin that keeps it elsewhere does not start", async () => {
	const { scimSubject, scimUser } = directory().schema;
	const { active: _, ...others } = scimUser.fields;
	const schema = { scimSubject, scimUser: { fields: others } };
	const later: BetterAuthPlugin = { ...directory(), schema };
	await expect(composedWorld([later])).rejects.toThrow("the scim() plugin has no scimUser.active");
	expect(checkScimTables({ options: { plugins: [] }, tables: {} })).toEqual([]);
});
