import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { LIFECYCLE_ERROR_CODES } from "../../errors/lifecycle-error-codes.ts";
import { isClosedStatus } from "../../scope/pin/tenant-state.ts";
import { showTenant, type TenantRow, tenantOpenAPI } from "../../scope/tenants/tenant.ts";
import { tenantStoreOf } from "../../scope/tenants/tenant-store.ts";
import { nameActor } from "../management/audit.ts";
import { reasonInput } from "../management/reason-input.ts";
import { closedTenantsOf } from "../tenants/closing.ts";
import { sleep } from "../tenants/sweep-rows.ts";
import { changeState } from "./change-state.ts";
import { endRequests, endSessions } from "./end-tenant-sessions.ts";
import { guardState } from "./guard-state.ts";

const body = z.strictObject({
	tenantId: z.string().meta({ description: "The tenant to restore" }),
	reason: reasonInput.meta({ description: "Why, on one line. Operators can read it" }).optional(),
	endSessions: z
		.boolean()
		.meta({
			description:
				"Whether sessions, tokens and links from before stay dead. Takes until deletion.drainTime after the suspension",
		})
		.optional(),
});

/**
 * Restores a suspended or archived tenant. Sessions from before work again, unless this call or the suspension asks to end
 * them. After a crash, call it again: the tenant stays closed until everything is ended.
 */
export const restoreTenant = () =>
	createAuthEndpoint(
		"/tenant/restore",
		{
			method: "POST",
			body,
			use: [guardState("tenant:restore")],
			metadata: {
				openapi: {
					operationId: "restoreTenant",
					description: "Restore a suspended or archived tenant",
					responses: {
						"200": { description: "The tenant", content: { "application/json": { schema: tenantOpenAPI } } },
					},
				},
			},
		},
		async (ctx) => {
			const { targetId, actor, record } = ctx.context;
			const { reason, endSessions: asked = false } = ctx.body;
			await record({ outcome: "allowed", ...(reason ? { reason } : {}) });
			const row = await changeState(ctx, targetId, async (found) => {
				if (!isClosedStatus(found.status)) {
					if (asked) throw APIError.from("CONFLICT", LIFECYCLE_ERROR_CODES.TENANT_NOT_SUSPENDED);
					return null;
				}
				const ends = asked || found.endsSessions === true;
				return {
					status: "active",
					statusReason: reason ?? null,
					statusBy: nameActor(actor),
					...(ends ? { sessionsSince: await endAll(ctx, found), endsSessions: false } : {}),
					statusAt: new Date(),
				};
			});
			return ctx.json(showTenant(row));
		},
	);

/**
 * Ends everything from before while the tenant is closed, and returns the time since when sessions count. Waits first until no
 * request that saw the tenant open can still be writing. Then every process has noticed the suspension, too, so none signs
 * with the old secret once the tenant is open.
 */
const endAll = async (ctx: GenericEndpointContext, row: TenantRow): Promise<Date> => {
	const tenants = tenantStoreOf(ctx);
	const closed = closedTenantsOf(ctx);
	const closedAt = row.statusAt?.getTime() ?? Date.now();
	await sleep(Math.max(closedAt + closed.drainTime * 1000 - Date.now(), 0));
	const isSame = async (): Promise<boolean> => {
		const now = await tenants.find(row.id);
		return now?.status === row.status && now.statusAt?.getTime() === row.statusAt?.getTime();
	};
	await endSessions(closed, ctx.context.tables, { tenantId: row.id, isSame });
	await endRequests(closed, ctx.context.tables, row.id);
	if (!(await isSame())) throw APIError.from("CONFLICT", LIFECYCLE_ERROR_CODES.TENANT_STATE_CHANGED);
	// No session or link was made between this time and now. A new one of a process whose clock is late is not hidden then.
	// Never the time of an earlier end, because its secret must not come back.
	return new Date(Math.max(closedAt + closed.drainTime * 1000, (row.sessionsSince?.getTime() ?? 0) + 1));
};
