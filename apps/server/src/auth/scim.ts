import { randomUUID } from "node:crypto";
import { scim } from "@better-auth/scim";
import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { type Actor, guardManagement } from "better-auth-tenants";
import * as z from "zod";
import type { ScimConfig } from "../config/scim.ts";
import { actForTenant, callApi, type ServerApi } from "../tenants/act-for-tenant.ts";

/** The scim plugin, and endpoints for operators who connect a tenant's directory to it. */
export const scimPlugins = ({ secret }: NonNullable<ScimConfig>, api: ServerApi): BetterAuthPlugin[] => [
	scim({ connections: [], managedConnections: { credentialHashSecret: secret } }),
	{ id: "scim-connections", endpoints: connectionEndpoints(api) },
];

const SCOPES = ["scim.users.read", "scim.users.write", "scim.groups.read", "scim.groups.write"] as const;
/** A tenant's connections form one domain: rows are separated by tenant. */
const DOMAIN = { provisioningDomainId: "tenant" };
const YEAR_MS = 365 * 86_400_000;

const tenant = { tenantId: z.string().meta({ description: "The tenant" }) };
const connection = { ...tenant, connectionId: z.string().min(1).meta({ description: "The connection" }) };
const policy = {
	scopes: z
		.array(z.enum(SCOPES))
		.min(1)
		.default([...SCOPES])
		.meta({ description: "What the token allows. Everything by default" }),
	expiresAt: z.iso
		.datetime({ offset: true })
		.transform((given) => new Date(given))
		.default(() => new Date(Date.now() + YEAR_MS))
		.meta({ description: "When the token expires. In a year by default" }),
};

const connectionEndpoints = (api: ServerApi) => {
	const call = (tenantId: string, name: string, body: object) =>
		actForTenant(tenantId, () => callApi(api, name, { body: { ...DOMAIN, ...body } }));
	return {
		createTenantScimConnection: createAuthEndpoint(
			"/tenant/scim-connection/create",
			{
				method: "POST",
				body: z.object({ ...tenant, ...policy }),
				use: [guardManagement({ action: "scim-connection:create" })],
			},
			async ({ body: { scopes, expiresAt }, context: { tenantId, actor }, json }) => {
				const input = { creationRequestId: randomUUID(), actorId: nameOf(actor), scopes, expiresAt };
				return json(await call(tenantId, "createSCIMManagedConnection", input));
			},
		),
		listTenantScimConnections: createAuthEndpoint(
			"/tenant/scim-connection/list",
			{
				method: "GET",
				query: z.object(tenant),
				use: [guardManagement({ action: "scim-connection:list", target: "query" })],
			},
			async ({ context: { tenantId }, json }) => json(await call(tenantId, "listSCIMManagedConnections", {})),
		),
		getTenantScimConnection: createAuthEndpoint(
			"/tenant/scim-connection/get",
			{
				method: "GET",
				query: z.object(connection),
				use: [guardManagement({ action: "scim-connection:list", target: "query" })],
			},
			async ({ query: { connectionId }, context: { tenantId }, json }) =>
				json(await call(tenantId, "getSCIMManagedConnection", { connectionId })),
		),
		rotateTenantScimCredential: createAuthEndpoint(
			"/tenant/scim-connection/rotate",
			{
				method: "POST",
				body: z.object({ ...connection, ...policy }),
				use: [guardManagement({ action: "scim-connection:rotate" })],
			},
			async ({ body: { connectionId, scopes, expiresAt }, context: { tenantId, actor }, json }) => {
				const input = { connectionId, actorId: nameOf(actor), scopes, expiresAt };
				return json(await call(tenantId, "rotateSCIMManagedCredential", input));
			},
		),
		revokeTenantScimCredential: createAuthEndpoint(
			"/tenant/scim-connection/revoke",
			{
				method: "POST",
				body: z.object({ ...connection, credentialId: z.string().min(1).meta({ description: "The credential" }) }),
				use: [guardManagement({ action: "scim-connection:revoke" })],
			},
			async ({ body: { connectionId, credentialId }, context: { tenantId, actor }, json }) => {
				const input = { connectionId, credentialId, actorId: nameOf(actor) };
				return json(await call(tenantId, "revokeSCIMManagedCredential", input));
			},
		),
		deleteTenantScimConnection: createAuthEndpoint(
			"/tenant/scim-connection/delete",
			{
				method: "POST",
				body: z.object(connection),
				use: [guardManagement({ action: "scim-connection:delete" })],
			},
			async ({ body: { connectionId }, context: { tenantId, actor }, json }) =>
				json(await call(tenantId, "decommissionSCIMManagedConnection", { connectionId, actorId: nameOf(actor) })),
		),
	};
};

/** The actor in the events of a connection. */
const nameOf = (actor: Actor): string => {
	if (actor.kind === "key") return `key:${actor.name}`;
	return actor.kind === "session" ? `user:${actor.userId}` : actor.kind;
};
