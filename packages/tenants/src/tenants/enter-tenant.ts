import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthEndpoint } from "@better-auth/core/api";
import type { User } from "@better-auth/core/db";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { setSessionCookie } from "better-auth/cookies";
import { parseSessionOutput, parseUserOutput } from "better-auth/db";
import * as z from "zod";
import { authAnswerOpenAPI } from "../email/answer.ts";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { nameActor } from "../management/audit.ts";
import type { Management } from "../management/management.ts";
import { newEnteredToken } from "../scope/entered-session.ts";
import { orIllTyped } from "../scope/known-tenants.ts";
import { runWithTenant } from "../scope/tenant-context.ts";
import { servicesOf } from "../services.ts";

const body = z.strictObject({
	tenantId: z.string().meta({ description: "The tenant to enter" }),
	userId: z.string().min(1).max(255).meta({ description: "The user of that tenant to enter as" }),
	reason: z
		.string()
		.trim()
		.min(1)
		.max(500)
		.regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u)
		.meta({ description: "Why, on one line; it goes to the audit and nowhere else" }),
});

/**
 * Gives an operator a short session inside a tenant as one of its users. The caller's own session moves there by cookie;
 * who came with a key gets the token in the answer only.
 */
export const enterTenant = (management: Management, { maxAge }: { maxAge: number }) =>
	createAuthEndpoint(
		"/tenant/enter",
		{
			method: "POST",
			body,
			use: [management.guard({ action: "tenant:enter", target: "body", requires: "enter" })],
			metadata: {
				openapi: {
					operationId: "enterTenant",
					description: "Enter a tenant as one of its users, for a short and fixed time",
					responses: authAnswerOpenAPI,
				},
			},
		},
		async (ctx) => {
			const { targetId, actor, record } = ctx.context;
			const { userId, reason } = ctx.body;
			const user = await findTarget(ctx, targetId, userId);
			if (!targetId || !user) {
				const missing = TENANT_AUTH_ERROR_CODES.ENTER_TARGET_NOT_FOUND;
				await record({ outcome: "refused", code: missing.code, userId, reason });
				throw APIError.from("NOT_FOUND", missing);
			}
			await record({ outcome: "allowed", userId, reason });
			// writing it down takes time: whoever is gone by now is not entered as
			if (!(await findTarget(ctx, targetId, userId)))
				throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.ENTER_TARGET_NOT_FOUND);
			return runWithTenant(targetId, async () => {
				const session = await ctx.context.internalAdapter.createSession(
					user.id,
					false,
					{
						token: newEnteredToken(targetId),
						expiresAt: new Date(Date.now() + maxAge * 1000),
						enteredBy: nameActor(actor),
						// the tenant's people see their sessions; where the operator sits is in the audit
						ipAddress: "",
						userAgent: "",
					},
					true,
				);
				if (!session) throw APIError.from("INTERNAL_SERVER_ERROR", BASE_ERROR_CODES.FAILED_TO_CREATE_SESSION);
				if (actor.kind === "session") {
					// what the guard set for the caller's own session would say the same cookies twice
					ctx.responseHeaders.delete("set-cookie");
					// signed for the tenant: the request itself is the platform's
					const context = { ...ctx.context, ...(await servicesOf(ctx).secrets(targetId)) };
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

/** One answer for an unknown tenant, a closed one, the platform, an unknown user and another tenant's: nobody. */
const findTarget = async (
	ctx: GenericEndpointContext,
	tenantId: string | null,
	userId: string,
): Promise<User | null> => {
	// from the table, where the platform is not: the cache may still know a tenant that another process is deleting
	if (!tenantId || !(await servicesOf(ctx).tenants.findOpen({ id: tenantId }))) return null;
	return runWithTenant(tenantId, () => ctx.context.internalAdapter.findUserById(userId).catch(orNobody));
};

/** An id that this database's ids cannot be (no uuid, no number) is nobody's. */
const orNobody = (error: unknown): null => {
	if (error instanceof APIError && error.status === "BAD_REQUEST") return null;
	return orIllTyped(error);
};
