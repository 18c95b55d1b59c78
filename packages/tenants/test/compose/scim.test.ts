import { scim } from "@better-auth/scim";
import { bearer } from "better-auth/plugins";
import { composedWorld } from "test-kit/composed-world";
import { describe, expect, it } from "vitest";

const SCOPES = ["scim.users.read", "scim.users.write", "scim.groups.read", "scim.groups.write"] as const;
const person = (userName: string) => ({
	schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
	userName,
	externalId: `external-${userName}`,
	emails: [{ value: userName, primary: true, type: "work" }],
	active: true,
});

type Connect = (input: object) => Promise<{ token: string }>;

describe.each(["sqlite", "postgres"] as const)("SCIM in two tenants, on %s", (database) => {
	// threat 65
	it("provisions the same users into both tenants by bearer token alone, and nothing with a hint for another", async () => {
		const plugin = scim({ connections: [], managedConnections: { credentialHashSecret: "s".repeat(40) } });
		// bearer() reads the same header and must not treat the token as a session token
		const { a, b, call, auth, tenantsOf, database: db } = await composedWorld([bearer(), plugin], { database });
		const connect = (auth.api as object as { createSCIMManagedConnection: Connect }).createSCIMManagedConnection;
		const tokenOf = async (tenant: string) => {
			const body = {
				creationRequestId: "the same in every tenant",
				provisioningDomainId: "people",
				actorId: "operator",
				scopes: SCOPES,
				expiresAt: new Date(Date.now() + 86_400_000),
			};
			return (await connect({ body, headers: new Headers({ "x-tenant-id": tenant }) })).token;
		};
		const tokens = new Map([
			[a, await tokenOf(a)],
			[b, await tokenOf(b)],
		]);
		for (const [tenant, token] of tokens) {
			const other = tenant === a ? b : a;
			const headers = { authorization: `Bearer ${token}` };
			const made = await call("/scim/v2/Users", { headers, body: person("ada@corp.example") });
			expect([made.status, made.json.userName]).toEqual([201, "ada@corp.example"]);
			expect((await call("/scim/v2/Users", { headers })).json.totalResults).toBe(1);
			for (const hint of [other, "platform"]) {
				const refused = await call("/scim/v2/Users", { tenant: hint, headers, body: person("eve@corp.example") });
				expect(refused.status).toBe(401);
			}
			const path = `/scim/v2/Users/${made.json.id}`;
			const foreign = { authorization: `Bearer ${tokens.get(other)}` };
			expect((await call(path, { headers: foreign })).status).toBe(404);
			expect((await call(path, { headers: foreign, method: "DELETE" })).status).toBe(404);
			const off = {
				schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
				Operations: [{ op: "replace", path: "active", value: false }],
			};
			expect((await call(path, { headers, method: "PATCH", body: off })).json.active).toBe(false);
		}
		expect((await call("/scim/v2/Users", { headers: { authorization: "Bearer nobody" } })).status).toBe(401);
		expect(await tenantsOf("scimUser")).toEqual([a, b].sort());
		const users = await db.query('select "tenantId", "email" from "user"');
		expect(users.map(({ tenantId, email }) => `${tenantId} ${email}`).sort()).toEqual(
			[a, b].map((tenant) => `${tenant} ada@corp.example`).sort(),
		);
	});
});
