import type { Defense } from "./defense.ts";

/** Random values that name their tenant, and what plugins keep for the whole process. */
export const CREDENTIAL_LOOKUP_DEFENSES: Defense[] = [
	{
		id: "a-hint-wins-over-an-artefact", // cspell:ignore artefact
		name: "A key of one tenant is valid with another tenant's hint",
		file: "scope/request/decide.ts",
		find: "	if (hint) return requireOpen(hint, known);",
		replace:
			"	const owner = await lookUpCredential(ctx);\n	if (owner) return openOrPlatform(owner);\n	if (hint) return requireOpen(hint, known);",
		caughtBy: "tests",
		files: ["test/compose/api-key.test.ts", "test/compose/scim.test.ts"],
		named: "nothing with a hint for another",
		threats: [30, 65],
	},
	{
		id: "artefacts-say-their-tenant", // cspell:ignore artefacts
		name: "A key alone does not select its tenant",
		file: "scope/request/credential-lookup.ts",
		find: "if (owners.size === 1) return [...owners][0] ?? null;",
		replace: "if (owners.size === 2) return [...owners][0] ?? null;",
		caughtBy: "tests",
		files: ["test/compose/api-key.test.ts"],
		named: "resolves the tenant from a key alone",
		threats: [65],
	},
	{
		id: "one-adapter-for-each-tenant",
		name: "What a plugin caches by its adapter applies to all tenants",
		file: "scope/request/per-tenant-instances.ts",
		find: "const copy = copyAdapter(adapter);",
		replace: "const copy = copyAdapter === undefined ? copyAdapter : adapter;",
		caughtBy: "tests",
		files: ["test/compose/oauth-provider.security.test.ts"],
		named: "seeds the configured resource in each tenant",
		threats: [65],
	},
	{
		id: "shared-settings-are-refused",
		name: "Clients that a plugin keeps for the whole process are accepted",
		file: "scope/compose/shared-state.ts",
		find: "refused === undefined ? isSet(value) : value === refused",
		replace: "refused === undefined ? isSet(undefined) : value === refused",
		caughtBy: "tests",
		files: ["test/startup.test.ts"],
		named: "throws for process-wide state of a plugin",
		threats: [65],
	},
	{
		id: "customers-are-not-chosen",
		name: "Users can write a Stripe customer into their own row",
		file: "scope/compose/scope-plugin.ts",
		find: "{ ...field, unique: true, input: false }",
		replace: "{ ...field, unique: true }",
		caughtBy: "tests",
		files: ["test/compose/stripe-customer.security.test.ts"],
		named: "another tenant's Stripe customer",
		threats: [6, 39],
	},
];
