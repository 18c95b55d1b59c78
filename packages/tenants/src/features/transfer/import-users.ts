import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import type { Management } from "../management/management.ts";
import { requireOpenTenant } from "../management/open-tenant.ts";
import { userImportOf } from "./user-import.ts";
import { type ImportedUser, readLine, type UserToImport } from "./user-line.ts";
import { userOpenAPI } from "./user-openapi.ts";

/**
 * The result of an import of users.
 *
 * @example
 * ```ts
 * const { imported, refused }: ImportedUsers = await auth.api.importTenantUsers({ body: { tenantId, users } });
 * ```
 */
export type ImportedUsers = {
	/** How many users were imported. */
	imported: number;
	/** How many users were skipped because the tenant has a user with the same email. */
	existing: number;
	/** The users that were refused. `index` is the position in the request, from 0. */
	refused: { index: number; code: string; message: string }[];
};

const MAX_USERS = 500;
/** A batch is one transaction with one query per row. A larger batch would delay a deletion of the tenant. */
const MAX_ACCOUNTS = 2000;
const countAccounts = (users: unknown[]): number => users.reduce<number>((sum, user) => sum + accountsIn(user), 0);
const accountsIn = (user: unknown): number =>
	typeof user === "object" && user !== null && "accounts" in user && Array.isArray(user.accounts)
		? user.accounts.length
		: 0;
const TENANT = "The tenant to import into";
const USERS = `1 to ${MAX_USERS} users, with at most ${MAX_ACCOUNTS} accounts in all`;
// each user is checked separately, because one invalid user must not reject the others
const body = z.object({
	tenantId: z.string().meta({ description: TENANT }),
	users: z
		.array(z.unknown())
		.min(1)
		.max(MAX_USERS)
		.refine((users) => countAccounts(users) <= MAX_ACCOUNTS, {
			message: `at most ${MAX_ACCOUNTS} accounts in all; send fewer users per request`,
		})
		.meta({ description: USERS }),
});
type Body = { tenantId: string; users: UserToImport[] };

const requestBody = {
	required: true,
	content: {
		"application/json": {
			schema: {
				type: "object" as const,
				properties: {
					tenantId: { type: "string" as const, description: TENANT },
					users: {
						type: "array" as const,
						items: userOpenAPI,
						description: USERS,
					},
				},
				required: ["tenantId", "users"],
			},
		},
	},
};

const importedUsersOpenAPI = {
	type: "object" as const,
	properties: {
		imported: { type: "integer" as const, description: "How many users were imported" },
		existing: {
			type: "integer" as const,
			description: "Unchanged, because the tenant already has a user with the same email",
		},
		refused: {
			type: "array" as const,
			description: "The users that were refused. The others were imported",
			items: {
				type: "object" as const,
				properties: {
					index: { type: "integer" as const, description: "Position in `users`, from 0" },
					code: { type: "string" as const, description: "An error code" },
					message: { type: "string" as const, description: "What is wrong with the user" },
				},
				required: ["index", "code", "message"],
			},
		},
	},
	required: ["imported", "existing", "refused"],
};

/**
 * Imports users into a tenant. Each user is imported with all accounts or not at all. Sending them again changes
 * nothing.
 */
export const importUsers = (management: Management, acceptsPasswordHash: (hash: string) => boolean) =>
	createAuthEndpoint(
		"/tenant/import-users",
		{
			method: "POST",
			body,
			use: [management.guard({ action: "user:import", target: "body", requires: "transfer" })],
			metadata: {
				$Infer: { body: {} as Body },
				openapi: {
					operationId: "importTenantUsers",
					description: "Import users with their accounts and password hashes into a tenant. Requires a management key",
					requestBody,
					responses: {
						"200": {
							description: "How many users were imported, and why others were not",
							content: { "application/json": { schema: importedUsersOpenAPI } },
						},
					},
				},
			},
		},
		async (ctx) => {
			const tenantId = await requireOpenTenant(ctx, ctx.context.targetId);
			const refused: ImportedUsers["refused"] = [];
			const lines = new Map<ImportedUser, number>();
			for (const [index, given] of ctx.body.users.entries()) {
				try {
					lines.set(readLine(given, acceptsPasswordHash), index);
				} catch (error) {
					if (!(error instanceof APIError)) throw error;
					refused.push({ index, code: String(error.body?.code), message: error.message });
				}
			}
			const outcomes = await userImportOf(ctx)(tenantId, [...lines.keys()]);
			const counted = { imported: 0, existing: 0 };
			for (const [user, index] of lines) {
				const outcome = outcomes.get(user);
				if (typeof outcome === "object") refused.push({ index, code: outcome.code, message: outcome.message });
				else if (outcome) counted[outcome] += 1;
			}
			return ctx.json<ImportedUsers>({ ...counted, refused: refused.sort((one, other) => one.index - other.index) });
		},
	);
