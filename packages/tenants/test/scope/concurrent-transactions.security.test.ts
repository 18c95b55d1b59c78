import { createAuthEndpoint } from "@better-auth/core/api";
import { scim } from "@better-auth/scim";
import { composedWorld } from "test-kit/composed-world";
import { expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";

type Connect = (input: object) => Promise<{ token: string }>;
type Own = { connect?: Connect; a?: string; b?: string };

/** Platform server code that works in two tenants at once. */
const backOffice = (own: Own) => ({
	id: "back-office",
	endpoints: {
		connectBoth: createAuthEndpoint("/back-office/connect", { method: "GET" }, async () => {
			const body = {
				creationRequestId: "the same in every tenant",
				provisioningDomainId: "people",
				actorId: "operator",
				scopes: ["scim.users.read"],
				expiresAt: new Date(Date.now() + 86_400_000),
			};
			const both = [own.a ?? "", own.b ?? ""].map((tenant) =>
				runWithTenant(tenant, async () => own.connect?.({ body })).then(
					() => "made",
					() => "failed",
				),
			);
			return { outcomes: await Promise.all(both) };
		}),
	},
});

// threat 53
it("keeps a transaction in one of two tenants that a request works in at once", async () => {
	const own: Own = {};
	const plugin = scim({ connections: [], managedConnections: { credentialHashSecret: "s".repeat(40) } });
	const { a, b, auth, ok, database, tenantsOf } = await composedWorld([plugin, backOffice(own)], {
		database: "postgres",
	});
	Object.assign(own, { a, b, connect: (auth.api as object as Record<string, Connect>).createSCIMManagedConnection });
	// the second statement fails in both
	await database.query('alter table "scimManagedCredential" add constraint "none" check (false)');
	expect((await ok("/back-office/connect")).json.outcomes).toEqual(["failed", "failed"]);
	expect(await tenantsOf("scimManagedConnection")).toEqual([]);
});
