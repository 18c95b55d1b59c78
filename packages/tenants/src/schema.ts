import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";

/** Asked for a column's default while a row is being made: the tenant of the running request. */
export type CurrentTenant = () => string;

/**
 * The column that says whose a row is.
 *
 * `required` is left out: the column is NOT NULL all the same, while `required: true` would make the engine demand the
 * field from whoever signs up. `input: false`, or a user could move his own session to another tenant.
 *
 * The default is a getter: a migration, which runs outside of any request, reads the constant that existing rows are
 * filled with; a request reads its own tenant, so that the made-up user in the answer to a taken e-mail shows the same
 * tenant as a real one.
 */
export const tenantColumn = (current: CurrentTenant, { index = false } = {}) => ({
	type: "string" as const,
	input: false as const,
	index,
	get defaultValue() {
		return current();
	},
});

/** The tables and columns of the plugin. Compound unique indexes need engine 1.7.1 or later. */
export const createSchema = (current: CurrentTenant) =>
	({
		tenant: {
			fields: {
				name: { type: "string", required: true },
				slug: { type: "string", required: true, unique: true },
				// JSON text: the same on every database
				metadata: { type: "string", required: false },
				/** active, or deleting: closed to everyone while its rows go */
				status: { type: "string", required: true, input: false, defaultValue: "active" },
				createdAt: { type: "date", required: true },
				updatedAt: { type: "date", required: true },
			},
		},
		tenantOauthConfig: {
			fields: {
				tenantId: {
					type: "string",
					required: true,
					references: { model: "tenant", field: "id", onDelete: "cascade" },
				},
				providerId: { type: "string", required: true },
				// sealed: see oauth/seal.ts
				clientId: { type: "string", required: true, returned: false },
				clientSecret: { type: "string", required: true, returned: false },
				options: { type: "string", required: false, returned: false },
				scopes: { type: "string", required: false },
				redirectURI: { type: "string", required: false },
				enabled: { type: "boolean", required: true, defaultValue: true },
				createdAt: { type: "date", required: true },
				updatedAt: { type: "date", required: true },
			},
			indexes: [{ fields: ["tenantId", "providerId"], unique: true }],
		},
		user: {
			fields: {
				// no longer unique by itself: the same address in two tenants is two people
				email: { type: "string", unique: false, sortable: true, input: false },
				tenantId: tenantColumn(current),
			},
			indexes: [{ fields: ["tenantId", "email"], unique: true }],
		},
		account: {
			fields: { tenantId: tenantColumn(current) },
			// without it, parallel first sign-ins of one person make several users and lock him out
			indexes: [{ fields: ["tenantId", "providerId", "accountId"], unique: true }],
		},
		session: {
			fields: {
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
			fields: { tenantId: tenantColumn(current) },
			// the engine deletes expired rows at every look-up, now per tenant
			indexes: [{ fields: ["tenantId", "expiresAt"] }],
		},
	}) satisfies BetterAuthPluginDBSchema;
