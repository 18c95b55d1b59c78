import { scim } from "@better-auth/scim";
import { bearer } from "better-auth/plugins";
import { composedWorld } from "test-kit/composed-world";
import type { DatabaseKind } from "test-kit/databases";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";

const SCOPES = ["scim.users.read", "scim.users.write", "scim.groups.read", "scim.groups.write"];
const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const person = (userName: string, externalId = `external-${userName}`) => ({
	schemas: [USER],
	userName,
	externalId,
	emails: [{ value: userName, primary: true, type: "work" }],
});
const patch = (...Operations: object[]) => ({
	schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
	Operations,
});

type Connected = { token: string; connection: { connectionId: string }; credential: { credentialId: string } };
type Api = Record<string, (input: object) => Promise<Connected>>;

const connected = async (database: DatabaseKind) => {
	const plugin = scim({ connections: [], managedConnections: { credentialHashSecret: "s".repeat(40) } });
	const world = await composedWorld([bearer(), plugin], { database });
	const api = world.auth.api as object as Api;
	const connect = async (tenant: string) => {
		const body = {
			creationRequestId: "the same in every tenant",
			provisioningDomainId: "people",
			actorId: "operator",
			scopes: SCOPES,
			expiresAt: new Date(Date.now() + 86_400_000),
		};
		const made = await api.createSCIMManagedConnection?.({ body, headers: new Headers({ "x-tenant-id": tenant }) });
		if (!made) throw new Error("not connected");
		return { ...made, headers: { authorization: `Bearer ${made.token}` } };
	};
	return { ...world, api, inA: await connect(world.a), inB: await connect(world.b) };
};

describe.each(["mysql", "postgres"] as const)("SCIM on %s", (database) => {
	// threat 65
	it("adds no user of another tenant to a group, and finds none by filter or path", async () => {
		const { call, inA, inB, b } = await connected(database);
		const ada = (await call("/scim/v2/Users", { headers: inA.headers, body: person("ada@corp.example") })).json;
		const bob = (await call("/scim/v2/Users", { headers: inB.headers, body: person("bob@corp.example") })).json;
		const { headers } = inA;
		const group = (members: object[]) =>
			call("/scim/v2/Groups", { headers, body: { schemas: [GROUP], displayName: "devs", members } });
		expect((await group([{ value: bob.id }])).status).toBe(400);
		const made = await group([{ value: ada.id }]);
		expect(made.status).toBe(201);
		const path = `/scim/v2/Groups/${made.json.id}`;
		const add = patch({ op: "add", path: "members", value: [{ value: bob.id }] });
		expect((await call(path, { headers, method: "PATCH", body: add })).status).toBe(400);
		expect((await call(path, { headers: inB.headers })).status).toBe(404);
		for (const filter of [
			`id eq "${bob.id}"`,
			`userName eq "bob@corp.example"`,
			`userName eq "àda@corp.example"`,
			`externalId eq "EXTERNAL-ada@corp.example"`,
			`userName eq "' or 1=1 --"`,
			`emails.value eq "%"`,
		])
			expect((await call("/scim/v2/Users", { headers, query: { filter } })).json.totalResults).toBe(0);
		for (const filter of [`tenantId eq "${b}"`, `userName eq "x" or userName pr`])
			expect((await call("/scim/v2/Users", { headers, query: { filter } })).status).toBe(400);
		const own = `/scim/v2/Users/${ada.id}`;
		for (const attribute of ["id", "tenantId", "userId", "connectionId", "__proto__.x", `${USER}:tenantId`]) {
			const body = patch({ op: "replace", path: attribute, value: b });
			expect((await call(own, { headers, method: "PATCH", body })).status).toBe(400);
		}
		// `tenantId` in a body or query is a hint, and the token is unknown in that tenant
		const put = { ...person("ada@corp.example"), tenantId: b };
		expect((await call(own, { headers, method: "PUT", body: put })).status).toBe(401);
		expect((await call("/scim/v2/Users", { headers, query: { tenantId: b } })).status).toBe(401);
	});

	// threat 65
	it("takes over no existing user, in any letter case, and ends the sessions of deactivated users", async () => {
		const { call, inA, a, signUp, whoami, auth } = await connected(database);
		const { headers } = inA;
		const eve = await signUp(a, "eve@corp.example");
		const ada = (await call("/scim/v2/Users", { headers, body: person("ada@corp.example") })).json;
		for (const email of ["eve@corp.example", "EVE@corp.example"]) {
			expect((await call("/scim/v2/Users", { headers, body: person(email) })).status).toBe(409);
			const body = patch({ op: "replace", path: 'emails[type eq "work"].value', value: email });
			expect((await call(`/scim/v2/Users/${ada.id}`, { headers, method: "PATCH", body })).status).toBe(409);
		}
		expect((await whoami(eve)).user.email).toBe("eve@corp.example");
		const { internalAdapter } = await auth.$context;
		const session = await runWithTenant(a, async () => {
			const found = await internalAdapter.findUserByEmail("ada@corp.example");
			return internalAdapter.createSession(found?.user.id ?? "");
		});
		const me = async () =>
			(await call("/get-session", { headers: { authorization: `Bearer ${session.token}` } })).json?.user.email;
		expect(await me()).toBe("ada@corp.example");
		const body = patch({ op: "replace", path: "active", value: false });
		expect((await call(`/scim/v2/Users/${ada.id}`, { headers, method: "PATCH", body })).status).toBe(200);
		expect(await me()).toBeUndefined();
	});

	// threats 41 and 65
	it("manages no connection of another tenant, and none of a deleted tenant", async () => {
		const { call, ok, api, inA, inB, a, tablesWith } = await connected(database === "mysql" ? "sqlite" : database);
		const headers = new Headers({ "x-tenant-id": a });
		const { connectionId } = inB.connection;
		const { credentialId } = inB.credential;
		const named = { connectionId, provisioningDomainId: "people", actorId: "somebody", credentialId };
		const body = { ...named, scopes: SCOPES, expiresAt: new Date(Date.now() + 86_400_000) };
		for (const operation of [
			"getSCIMManagedConnection",
			"rotateSCIMManagedCredential",
			"revokeSCIMManagedCredential",
			"listSCIMManagedConnectionEvents",
			"decommissionSCIMManagedConnection",
		])
			await expect(api[operation]?.({ body, query: named, headers })).rejects.toMatchObject({ status: "NOT_FOUND" });
		await api.decommissionSCIMConnection?.({ body: { connectionId, provisioningDomainId: "people" }, headers });
		expect((await call("/scim/v2/Users", { headers: inB.headers })).status).toBe(200);
		await ok("/scim/v2/Users", { headers: inA.headers, body: person("ada@corp.example") });
		await ok("/tenant/delete", { operator: true, body: { tenantId: a } });
		expect(await tablesWith(a)).toEqual([]);
		expect((await call("/scim/v2/Users", { headers: inA.headers })).status).toBe(401);
		expect((await call("/scim/v2/Users", { headers: inB.headers })).status).toBe(200);
	});
});
