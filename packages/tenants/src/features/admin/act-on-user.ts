import type { GenericEndpointContext } from "@better-auth/core";
import { runWithTransaction } from "@better-auth/core/context";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { TENANT_ADMIN_ERROR_CODES } from "../../errors/tenant-admin-error-codes.ts";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { tenantStoreOf } from "../../scope/tenants/tenant-store.ts";
import type { Actor, AuditEntry } from "../management/audit.ts";
import { requireKeptTenant, requireOpenTenant, unavailable } from "../management/open-tenant.ts";
import { mayActOn, roleOf, type TenantRole } from "../users/roles.ts";
import { findUser, type UserRow } from "../users/user.ts";
import { findActiveRole } from "./allowed-actions.ts";

/** The context of an endpoint behind the management guard. */
export type ManagedContext = GenericEndpointContext & {
	context: {
		targetId: string | null;
		actor: Actor;
		record: (entry: Pick<AuditEntry, "outcome" | "code" | "userId" | "reason">) => Promise<void>;
	};
};

type Act = {
	userId: string;
	/** whether admins of the tenant may do it to themselves */
	onSelf?: boolean;
	/** whether it changes nothing, so that admins may also do it to owners */
	reads?: boolean;
	/** the role that the user gets */
	grants?: TenantRole;
};

/**
 * Runs an action on a user of the target tenant, as server code of that tenant. The rules for the caller are checked before
 * the audit, and again in the transaction of the action: roles may change in between. `after` runs when it is committed.
 */
export const actOnUser = async <Result>(
	ctx: ManagedContext,
	act: Act,
	run: (user: UserRow, tenantId: string) => Promise<Result>,
	after?: (user: UserRow, tenantId: string) => Promise<unknown>,
): Promise<Result> => {
	const { userId } = act;
	// operators can read a suspended tenant; its own admins have no session then
	const tenantId = await (act.reads ? requireKeptTenant : requireOpenTenant)(ctx, ctx.context.targetId);
	return runInKnownTenant(tenantId, async () => {
		const checked = () => checkAct(ctx, tenantId, act);
		const found = await recording(ctx, userId, checked);
		if (act.reads) return run(found, tenantId);
		const { user, result } = await inTenantTransaction(ctx, tenantId, async () => {
			const user = await checked();
			return { user, result: await run(user, tenantId) };
		});
		await after?.(user, tenantId);
		return result;
	});
};

/**
 * Runs code in a transaction that locks the tenant first, so that changes of roles wait for each other. Throws if the tenant was
 * suspended or deleted since the call began.
 */
export const inTenantTransaction = async <Result>(
	ctx: GenericEndpointContext,
	tenantId: string,
	run: () => Promise<Result>,
): Promise<Result> =>
	runWithTransaction(ctx.context.adapter, async () => {
		if (!(await tenantStoreOf(ctx).holdOpen(tenantId))) throw await unavailable(ctx, tenantId);
		return run();
	});

/** Audits whether a check passes, and throws its refusal. */
export const recording = async <Result>(
	{ context: { record } }: ManagedContext,
	userId: string | undefined,
	check: () => Promise<Result>,
): Promise<Result> => {
	const about = userId === undefined ? {} : { userId };
	const result = await check().catch(async (error: unknown) => {
		if (error instanceof APIError) await record({ outcome: "refused", code: String(error.body?.code), ...about });
		throw error;
	});
	await record({ outcome: "allowed", ...about });
	return result;
};

const checkAct = async (
	ctx: ManagedContext,
	tenantId: string,
	{ userId, onSelf = false, reads = false, grants }: Act,
): Promise<UserRow> => {
	const user = await findUser(ctx, userId);
	if (!user) throw APIError.from("NOT_FOUND", TENANT_ADMIN_ERROR_CODES.TENANT_USER_NOT_FOUND);
	const role = await callerRole(ctx, tenantId);
	if (role === "operator" || reads) return user;
	const { actor } = ctx.context;
	const isSelf = actor.kind === "session" && actor.userId === user.id;
	if (isSelf && !onSelf) throw APIError.from("FORBIDDEN", TENANT_ADMIN_ERROR_CODES.NOT_ON_YOURSELF);
	if (!mayActOn(role, roleOf(user.role)) || (grants && !mayActOn(role, grants)))
		throw APIError.from("FORBIDDEN", TENANT_ADMIN_ERROR_CODES.OWNER_REQUIRED);
	return user;
};

/**
 * The role of the caller in the target tenant. A session of the tenant always has its own role, whoever allowed it. Other
 * callers are operators: keys, platform users, server code, and those whom `authorize` allowed.
 */
export const callerRole = async (ctx: ManagedContext, tenantId: string): Promise<TenantRole | "operator"> => {
	const { actor } = ctx.context;
	if (actor.kind !== "session" || actor.tenantId !== tenantId) return "operator";
	const role = await findActiveRole(ctx, actor.userId);
	if (role === null || role === "member")
		throw APIError.from("FORBIDDEN", TENANT_AUTH_ERROR_CODES.TENANT_MANAGEMENT_NOT_ALLOWED);
	return role;
};
