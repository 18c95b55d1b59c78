import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import { getSessionFromCtx } from "better-auth/api";
import { SECOND_FACTOR_ERROR_CODES } from "../../../errors/second-factor-error-codes.ts";
import { pendingOf } from "../../../scope/sessions/pending-sessions.ts";
import { beginChallenge } from "../../second-factor/begin-challenge.ts";

/**
 * Replaces a session that lacks its second factor with the two-factor plugin's challenge. For sessions from before the tenant
 * required one. After a sign-in, the challenge is already there.
 */
export const challengeSecondFactor = () =>
	createAuthEndpoint(
		"/tenant/second-factor/challenge",
		{
			method: "POST",
			requireHeaders: true,
			metadata: {
				openapi: {
					operationId: "challengeTenantSecondFactor",
					description: "Begin to verify the second factor that the session lacks",
					responses: {
						"200": {
							description: "The methods that the user can use",
							content: {
								"application/json": {
									schema: {
										type: "object" as const,
										properties: {
											twoFactorRedirect: { type: "boolean", description: "True, as after a password" },
											twoFactorMethods: {
												type: "array",
												items: { type: "string" },
												description: "The methods that the user has set up, such as totp",
											},
										},
										required: ["twoFactorRedirect", "twoFactorMethods"],
									},
								},
							},
						},
					},
				},
			},
		},
		async (ctx) => {
			ctx.setHeader("cache-control", "no-store");
			await getSessionFromCtx(ctx, { disableCookieCache: true });
			const met = pendingOf(ctx.context)?.met;
			// the same for a complete session, for none, and for a user who must set up a second factor first
			if (met?.lacks !== "verify") throw APIError.from("CONFLICT", SECOND_FACTOR_ERROR_CODES.SECOND_FACTOR_NOT_PENDING);
			return ctx.json(await beginChallenge(ctx, met));
		},
	);
