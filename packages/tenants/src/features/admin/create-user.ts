import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { TENANT_ADMIN_ERROR_CODES } from "../../errors/tenant-admin-error-codes.ts";
import { isDriverQueryError } from "../../scope/pin/outage.ts";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { requireOpenTenant } from "../management/open-tenant.ts";
import { DEFAULT_ROLE, mayActOn, TENANT_ROLES, type TenantRole } from "../users/roles.ts";
import { showUser, type UserRow, userResponse } from "../users/user.ts";
import { callerRole, inTenantTransaction, type ManagedContext, recording } from "./act-on-user.ts";
import { guardUsers } from "./guard.ts";

const body = z.strictObject({
	tenantId: z.string().meta({ description: "The tenant" }),
	email: z.email().max(255).toLowerCase().meta({ description: "The email" }),
	name: z
		.string()
		.max(255)
		.regex(/^[^\0]*$/)
		.meta({ description: "The display name" }),
	role: z.enum(TENANT_ROLES).default(DEFAULT_ROLE).meta({ description: "owner, admin or member. Default: member" }),
	password: z
		.string()
		.meta({ description: "A password. Without one, the user resets it or signs in otherwise" })
		.optional(),
});

/** Creates a user in a tenant. The email is not verified. */
export const createTenantUser = () =>
	createAuthEndpoint(
		"/tenant/user/create",
		{
			method: "POST",
			body,
			use: [guardUsers("user:create")],
			metadata: {
				openapi: {
					operationId: "createTenantUser",
					description: "Create a user in a tenant",
					responses: userResponse("The user"),
				},
			},
		},
		async (ctx) => {
			const tenantId = await requireOpenTenant(ctx, ctx.context.targetId);
			const { email, name, role, password } = ctx.body;
			return runInKnownTenant(tenantId, async () => {
				const check = () => assertMayGrant(ctx, tenantId, role);
				await recording(ctx, undefined, check);
				const hash = password === undefined ? null : await hashPassword(ctx, password);
				const { internalAdapter } = ctx.context;
				const created = await inTenantTransaction(ctx, tenantId, async () => {
					await check();
					if (await internalAdapter.findUserByEmail(email)) throw exists();
					const user = await internalAdapter
						.createUser<UserRow>({ email, name, emailVerified: false, role }, { method: "admin" })
						// a sign-up with the same email came first
						.catch((error: unknown) => {
							throw isDriverQueryError(error) ? exists() : error;
						});
					if (hash !== null)
						await internalAdapter.linkAccount({
							userId: user.id,
							accountId: user.id,
							providerId: "credential",
							password: hash,
						});
					return user;
				});
				return ctx.json(showUser(created));
			});
		},
	);

const exists = (): APIError => APIError.from("CONFLICT", TENANT_ADMIN_ERROR_CODES.TENANT_USER_EXISTS);

const assertMayGrant = async (ctx: ManagedContext, tenantId: string, granted: TenantRole): Promise<void> => {
	const role = await callerRole(ctx, tenantId);
	if (role !== "operator" && !mayActOn(role, granted))
		throw APIError.from("FORBIDDEN", TENANT_ADMIN_ERROR_CODES.OWNER_REQUIRED);
};

const hashPassword = ({ context }: GenericEndpointContext, password: string): Promise<string> => {
	const { minPasswordLength, maxPasswordLength } = context.password.config;
	if (password.length < minPasswordLength || password.length > maxPasswordLength)
		throw APIError.from("BAD_REQUEST", TENANT_ADMIN_ERROR_CODES.INVALID_PASSWORD_LENGTH);
	return context.password.hash(password);
};
