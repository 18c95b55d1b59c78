import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";

/** Returns the tenant of the running request, as the default of the tenant column. */
export type CurrentTenant = () => string;

/**
 * The column with the tenant of a row.
 *
 * `required` is not set: the column is NOT NULL anyway, and with `required: true` the engine would require the field at
 * sign-up. `input: false` prevents users from moving their own session to another tenant.
 *
 * The default is a getter. A migration runs outside of a request and reads the constant that fills existing rows. A
 * request reads its own tenant. So the made-up user that sign-up returns for a taken email has the same tenant as a
 * real one.
 */
export const tenantColumn = (current: CurrentTenant, { index = false } = {}) => ({
	type: "string" as const,
	input: false as const,
	index,
	get defaultValue() {
		return current();
	},
});

/** The tables and columns of the plugin. Compound unique indexes require Better Auth 1.7.1 or later. */
export const createSchema = (current: CurrentTenant) =>
	({
		...tenantTable(),
		...tablesOfTenants(),
		...tenantColumns(current),
	}) satisfies BetterAuthPluginDBSchema;

const tenantTable = () =>
	({
		tenant: {
			fields: {
				// sortable: MySQL can only index columns with a limited length
				/** The display name. */
				name: { type: "string", required: true, sortable: true },
				/** The unique name for URLs. It can change. */
				slug: { type: "string", required: true, unique: true },
				/** Your own data as JSON text, which works in every database. */
				metadata: { type: "string", required: false },
				/** `active`, or `deleting`: closed while its rows are deleted. */
				status: { type: "string", required: true, input: false, defaultValue: "active", sortable: true },
				/**
				 * True from the creation until a process serves the tenant for the first time. Such a tenant is deleted without a
				 * drain time. Null, as in imported tenants, means that it may have been served.
				 */
				unserved: { type: "boolean", required: false, input: false, returned: false },
				/** When the tenant was created. */
				createdAt: { type: "date", required: true },
				/** When the tenant was last changed. While it is deleted: when it was closed. */
				updatedAt: { type: "date", required: true },
			},
			// tenants are listed newest first, also those of one status, and searched by name
			indexes: [{ fields: ["createdAt"] }, { fields: ["status", "createdAt"] }, { fields: ["name"] }],
		},
	}) satisfies BetterAuthPluginDBSchema;

/** What belongs to one tenant, and is deleted with it. */
const tablesOfTenants = () =>
	({
		tenantOauthConfig: {
			fields: {
				/** The tenant that the credentials belong to. */
				tenantId: {
					type: "string",
					required: true,
					references: { model: "tenant", field: "id", onDelete: "cascade" },
				},
				/** The social provider, such as `google`. */
				providerId: { type: "string", required: true },
				/** The client id, encrypted. */
				clientId: { type: "string", required: true, returned: false },
				/** The client secret, encrypted. */
				clientSecret: { type: "string", required: true, returned: false },
				/** Further settings of the provider as JSON, encrypted. */
				options: { type: "string", required: false, returned: false },
				/** The scopes that a sign-in requests, as a JSON array. */
				scopes: { type: "string", required: false },
				/** The tenant's own redirect URI. */
				redirectURI: { type: "string", required: false },
				// see oauth/callback-path.ts
				/** Whose callback URL the config uses: `own` or `shared`. */
				callback: { type: "string", required: true, input: false },
				/** Whether users can sign in with it. */
				enabled: { type: "boolean", required: true, defaultValue: true },
				/** When the config was created. */
				createdAt: { type: "date", required: true },
				/** When the config was last changed. */
				updatedAt: { type: "date", required: true },
			},
			indexes: [{ fields: ["tenantId", "providerId"], unique: true }],
		},
		tenantDomain: {
			fields: {
				/** The tenant that the domain belongs to. */
				tenantId: {
					type: "string",
					required: true,
					index: true,
					references: { model: "tenant", field: "id", onDelete: "cascade" },
				},
				/** The host name, normalized. It is unique among all tenants, because a host belongs to one tenant. */
				domain: { type: "string", required: true, unique: true },
				/** When the domain was added. */
				createdAt: { type: "date", required: true },
			},
		},
	}) satisfies BetterAuthPluginDBSchema;

/** What the plugin adds to Better Auth's own tables. */
const tenantColumns = (current: CurrentTenant) =>
	({
		user: {
			fields: {
				/** Better Auth's column, not unique by itself: the same address in two tenants belongs to two users. */
				email: { type: "string", unique: false, sortable: true, input: false },
				/** The tenant of the user, or `platform`. */
				tenantId: tenantColumn(current),
			},
			indexes: [{ fields: ["tenantId", "email"], unique: true }],
		},
		account: {
			fields: {
				/** The tenant of the account, or `platform`. */
				tenantId: tenantColumn(current),
			},
			// without it, parallel first sign-ins of one user would create several users and lock the user out
			indexes: [{ fields: ["tenantId", "providerId", "accountId"], unique: true }],
		},
		session: {
			fields: {
				/** The tenant of the session, or `platform`. */
				tenantId: tenantColumn(current, { index: true }),
				/**
				 * The operator who impersonates the user with this session (`key:…`, `user:…` or `server`), null after a normal
				 * sign-in. Set by `/tenant/impersonate` only. Not the admin plugin's `impersonatedBy`: that is the id of a user of
				 * the same tenant, and such a session is not restricted.
				 */
				operatorId: { type: "string", required: false, input: false },
			},
		},
		verification: {
			fields: {
				/** The tenant of the verification, or `platform`. */
				tenantId: tenantColumn(current),
			},
			// the engine deletes expired rows at every lookup, here per tenant
			indexes: [{ fields: ["tenantId", "expiresAt"] }],
		},
	}) satisfies BetterAuthPluginDBSchema;
