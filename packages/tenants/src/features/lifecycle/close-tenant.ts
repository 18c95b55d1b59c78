import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { LIFECYCLE_ERROR_CODES } from "../../errors/lifecycle-error-codes.ts";
import type { ClosedStatus } from "../../scope/pin/tenant-state.ts";
import { showTenant, type TenantRow, tenantOpenAPI } from "../../scope/tenants/tenant.ts";
import type { StateChange } from "../../scope/tenants/tenant-store.ts";
import { nameActor } from "../management/audit.ts";
import { reasonInput } from "../management/reason-input.ts";
import { changeState } from "./change-state.ts";
import { guardState } from "./guard-state.ts";

const body = z.strictObject({
	tenantId: z.string().meta({ description: "The tenant to close" }),
	reason: reasonInput.meta({ description: "Why, on one line. Operators can read it" }),
	endSessions: z
		.boolean()
		.meta({ description: "Whether the next restore ends the sessions from before. Cannot be taken back" })
		.optional(),
});

type Endpoint<Path extends string> = { path: Path; verb: "suspend" | "archive"; status: ClosedStatus };

/**
 * Closes a tenant. Its requests return 403 until it is restored, at once in this process and within `tenantCache.maxAge` in
 * others. Nothing is deleted. A second call changes nothing, except that it can add `endSessions`.
 */
export const closeTenant = <const Path extends string>({ path, verb, status }: Endpoint<Path>) =>
	createAuthEndpoint(
		path,
		{
			method: "POST",
			body,
			use: [guardState(`tenant:${verb}`)],
			metadata: {
				openapi: {
					operationId: `${verb}Tenant`,
					description: `${verb === "suspend" ? "Suspend" : "Archive"} a tenant. Its requests return 403 until it is restored`,
					responses: {
						"200": { description: "The tenant", content: { "application/json": { schema: tenantOpenAPI } } },
					},
				},
			},
		},
		async (ctx) => {
			const { targetId, actor, record } = ctx.context;
			const { reason, endSessions = false } = ctx.body;
			await record({ outcome: "allowed", reason });
			const by = nameActor(actor);
			const row = await changeState(ctx, targetId, (found) => closing(found, status, { reason, by, endSessions }));
			return ctx.json(showTenant(row));
		},
	);

type Asked = { reason: string; by: string; endSessions: boolean };

const closing = (row: TenantRow, to: ClosedStatus, { reason, by, endSessions }: Asked): StateChange | null => {
	// it is closed already, and would lose why
	if (row.status === "archived" && to === "suspended")
		throw APIError.from("CONFLICT", LIFECYCLE_ERROR_CODES.TENANT_ARCHIVED);
	const endsSessions = row.endsSessions === true || endSessions;
	if (row.status !== to) return { status: to, statusReason: reason, statusBy: by, statusAt: new Date(), endsSessions };
	return endsSessions === (row.endsSessions === true) ? null : { status: to, endsSessions };
};
