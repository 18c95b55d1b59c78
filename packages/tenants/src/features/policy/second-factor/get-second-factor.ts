import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { getSessionFromCtx } from "better-auth/api";
import { pendingOf } from "../../../scope/sessions/pending-sessions.ts";

/** Says whether the session of the request lacks a second factor. Returns nothing else about its user. */
export const getSecondFactor = () =>
	createAuthEndpoint(
		"/tenant/second-factor",
		{
			method: "GET",
			requireHeaders: true,
			metadata: {
				openapi: {
					operationId: "getTenantSecondFactor",
					description: "Find out whether the session lacks a second factor",
					responses: {
						"200": {
							description: "What the session lacks",
							content: {
								"application/json": {
									schema: {
										type: "object" as const,
										properties: {
											secondFactor: {
												type: "string",
												enum: ["verify", "enroll"],
												nullable: true,
												description: "What the user must do. Null if the session is complete",
											},
										},
										required: ["secondFactor"],
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
			const session = await getSessionFromCtx(ctx);
			const met = pendingOf(ctx.context)?.met;
			if (!session && !met)
				throw APIError.from("UNAUTHORIZED", {
					code: "UNAUTHORIZED",
					message: BASE_ERROR_CODES.SESSION_EXPIRED.message,
				});
			return ctx.json({ secondFactor: met?.lacks ?? null });
		},
	);
