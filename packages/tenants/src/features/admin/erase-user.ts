import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { tenantSecretsOf } from "../../scope/secrets/secrets.ts";
import { nameActor } from "../management/audit.ts";
import { actOnUser } from "./act-on-user.ts";
import { eraseRows, eraseVerifications } from "./erase-rows.ts";
import { type Erasure, signErasure } from "./erasure-record.ts";
import { guardUsers, userInput } from "./guard.ts";

/** Deletes everything that is stored about a user, and returns a signed record of what was deleted. */
export const eraseTenantUser = () =>
	createAuthEndpoint(
		"/tenant/user/erase",
		{
			method: "POST",
			body: z.strictObject(userInput),
			use: [guardUsers("user:erase")],
			metadata: {
				openapi: {
					operationId: "eraseTenantUser",
					description: "Delete all data of a user of a tenant, with a signed record",
					responses: {
						"200": {
							description: "What was deleted, and the signed record",
							content: {
								"application/json": {
									schema: {
										type: "object" as const,
										properties: {
											erasure: { type: "object" as const, description: "What was deleted" },
											record: { type: "string" as const, description: "The same, signed. Keep it" },
										},
										required: ["erasure", "record"],
									},
								},
							},
						},
					},
				},
			},
		},
		async (ctx) => {
			const { userId } = ctx.body;
			const { internalAdapter } = ctx.context;
			let claims: Awaited<ReturnType<typeof eraseRows>>["claims"] | undefined;
			let verifications = 0;
			const erased = await actOnUser(
				ctx,
				{ userId },
				async (user, tenantId) => {
					const sessions = await internalAdapter.listSessions(user.id);
					const deleted = await eraseRows(ctx, user, sessions);
					claims = deleted.claims;
					return { tenantId, rows: deleted.rows, sessions: sessions.length };
				},
				async (user, tenantId) => {
					await internalAdapter.deleteUserSessions(user.id);
					if (claims) verifications = await eraseVerifications(ctx, tenantId, claims);
				},
			);
			const erasure: Erasure = {
				...erased,
				userId,
				verifications,
				at: new Date().toISOString(),
				by: nameActor(ctx.context.actor),
				// the entry of this call names the user by id, and is the proof of who asked for it
				kept: ["audit:user:erase"],
			};
			// not the tenant's: a record outlasts the tenant
			const { secret } = await tenantSecretsOf(ctx)(PLATFORM);
			return ctx.json({ erasure, record: await signErasure(erasure, secret) });
		},
	);
