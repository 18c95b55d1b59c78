import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthEndpoint } from "@better-auth/core/api";
import type { User } from "@better-auth/core/db";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { setSessionCookie } from "better-auth/cookies";
import { parseSessionOutput, parseUserOutput } from "better-auth/db";
import * as z from "zod";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { tenantSecretsOf } from "../../scope/secrets/secrets.ts";
import { newImpersonationToken } from "../../scope/sessions/impersonated-session.ts";
import { orIllTyped } from "../../scope/tenants/known-tenants.ts";
import { tenantStoreOf } from "../../scope/tenants/tenant-store.ts";
import { authResponseOpenAPI } from "../email/auth-response.ts";
import { nameActor } from "../management/audit.ts";
import type { Management } from "../management/management.ts";
import { reasonInput } from "../management/reason-input.ts";
import { whileAllowed } from "../management/while-allowed.ts";

const body = z.strictObject({
	tenantId: z.string().meta({ description: "The tenant of the user" }),
	userId: z.string().min(1).max(255).meta({ description: "The user to impersonate" }),
	reason: reasonInput.meta({ description: "Why, on one line. Passed to the audit only" }),
});

/**
 * Creates a short session for an operator as a user of a tenant. A caller with a session also gets the new session as a
 * cookie. A caller with a key gets only the token.
 */
export const impersonateUser = (management: Management, { maxAge }: { maxAge: number }) =>
	createAuthEndpoint(
		"/tenant/impersonate",
		{
			method: "POST",
			body,
			use: [
				management.guard({
					action: "tenant:impersonate",
					target: "body",
					requires: "impersonation",
					recordedByHandler: true,
				}),
			],
			metadata: {
				openapi: {
					operationId: "impersonateTenantUser",
					description: "Impersonate a user of a tenant, for a short and fixed time",
					responses: authResponseOpenAPI,
				},
			},
		},
		async (ctx) => {
			const { targetId, actor, record } = ctx.context;
			const { userId, reason } = ctx.body;
			const user = await findTarget(ctx, targetId, userId);
			if (!targetId || !user) {
				const missing = TENANT_AUTH_ERROR_CODES.IMPERSONATION_TARGET_NOT_FOUND;
				await record({ outcome: "refused", code: missing.code, userId, reason });
				throw APIError.from("NOT_FOUND", missing);
			}
			await record({ outcome: "allowed", userId, reason });
			// the audit takes time, and the user may have been deleted meanwhile
			if (!(await findTarget(ctx, targetId, userId)))
				throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.IMPERSONATION_TARGET_NOT_FOUND);
			const { internalAdapter } = ctx.context;
			// an admin of the tenant may have lost their rights meanwhile, too
			const session = await whileAllowed(ctx, () =>
				runInKnownTenant(targetId, () =>
					internalAdapter.createSession(
						user.id,
						false,
						{
							token: newImpersonationToken(targetId),
							expiresAt: new Date(Date.now() + maxAge * 1000),
							operatorId: nameActor(actor),
							// users see their sessions; the operator's IP address is in the audit only
							ipAddress: "",
							userAgent: "",
						},
						true,
					),
				),
			);
			return runInKnownTenant(targetId, async () => {
				if (!session) throw APIError.from("INTERNAL_SERVER_ERROR", BASE_ERROR_CODES.FAILED_TO_CREATE_SESSION);
				if (actor.kind === "session") {
					// the guard may have set the same cookies for the caller's own session
					ctx.responseHeaders.delete("set-cookie");
					// signed with the tenant's secret: the request itself belongs to the platform
					const context = { ...ctx.context, ...(await tenantSecretsOf(ctx)(targetId)) };
					await setSessionCookie({ ...ctx, context }, { session, user }, false, { maxAge });
				}
				const { options } = ctx.context;
				return ctx.json({
					token: session.token,
					user: parseUserOutput(options, user),
					session: parseSessionOutput(options, session),
				});
			});
		},
	);

/** Returns null for an unknown tenant, a closed one, the platform, an unknown user and a user of another tenant. */
const findTarget = async (
	ctx: GenericEndpointContext,
	tenantId: string | null,
	userId: string,
): Promise<User | null> => {
	// reads the table, which does not contain the platform: the cache may still have a tenant that another process deletes
	if (!tenantId || !(await tenantStoreOf(ctx).openToServe(tenantId))) return null;
	return runInKnownTenant(tenantId, () => ctx.context.internalAdapter.findUserById(userId).catch(orNobody));
};

/** An id of a type that this database does not use (no uuid, no number) finds no user. */
const orNobody = (error: unknown): null => {
	if (error instanceof APIError && error.status === "BAD_REQUEST") return null;
	return orIllTyped(error);
};
