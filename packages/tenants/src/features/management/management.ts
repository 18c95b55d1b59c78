import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthMiddleware } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import { getAuthoritativeSessionFromCtx } from "better-auth/api";
import type { ManagementAction } from "../../endpoints/action.ts";
import { isBanned } from "../../engine/banned-user.ts";
import { newRowId } from "../../engine/new-row-id.ts";
import { defineService } from "../../engine/service.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { TRANSFER_ERROR_CODES } from "../../errors/transfer-error-codes.ts";
import { type HintSources, readHint } from "../../resolve/hint.ts";
import { SLUG } from "../../resolve/slug.ts";
import { isTenantId } from "../../resolve/tenant-id.ts";
import { type CompanionAttempt, companionsOf } from "../../scope/compose/companion.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { resolvable } from "../../scope/request/decide.ts";
import { type Actor, type AuditEntry, type AuditSink, createAudit } from "./audit.ts";
import { createKeyRing } from "./keys.ts";

type CallerSession = { session: Record<string, unknown>; user: Record<string, unknown> };

/**
 * An attempt to manage, as `management.authorize` receives it.
 *
 * @example
 * ```ts
 * const authorize = ({ tenantId, session }: ManagementAttempt) =>
 * 	tenantId !== null && session?.session.tenantId === tenantId && session.user.role === "owner";
 * ```
 */
export type ManagementAttempt = {
	/** What the caller wants to do. */
	action: ManagementAction;
	/** The tenant. Null if the action is about all tenants (create, list) or names a tenant by slug. */
	tenantId: string | null;
	/** The caller's live session, or null. `session.session.tenantId` is its tenant, or `"platform"`. */
	session: CallerSession | null;
	/** The headers of the request. */
	headers: Headers;
};

/**
 * Who may manage tenants, their OAuth configs and their SSO providers over HTTP.
 *
 * @example
 * ```ts
 * tenantAuth({
 * 	management: {
 * 		keys: [process.env.MANAGEMENT_KEY ?? ""],
 * 		roles: ["admin"],
 * 		authorize: ({ action, tenantId, session }) =>
 * 			action !== "tenant:impersonate" && tenantId !== null && session?.session.tenantId === tenantId,
 * 		audit: (entry) => saveAuditEntry(entry),
 * 		impersonation: { maxAge: 600 },
 * 	},
 * });
 * ```
 */
export type ManagementOptions = {
	/**
	 * Management keys for servers and scripts, sent as `Authorization: Bearer KEY`. They allow every action. Each needs at
	 * least 32 characters.
	 * @default []
	 */
	keys?: string[];
	/**
	 * Ids of platform users who may manage every tenant. Costs a session lookup per management request without a key.
	 * @default []
	 */
	userIds?: string[];
	/**
	 * Roles of Better Auth's admin plugin. Platform users with one of them may manage every tenant.
	 * @default []
	 */
	roles?: string[];
	/**
	 * Decides about every other caller. Allow tenant admins here, for their own tenant. `tenantId` comes from the request and
	 * proves nothing: compare it with `session.session.tenantId`. If it throws, the caller is refused. It is not asked about
	 * what only operators do: `tenant-domain:add`, suspending, archiving and restoring a tenant, and the transfer of users.
	 * @default refuses everyone
	 */
	authorize?: (attempt: ManagementAttempt) => boolean | Promise<boolean>;
	/**
	 * Receives every attempt to manage before it runs, including reads and refusals. If it throws, the action does not run
	 * (503 `AUDIT_UNAVAILABLE`). Every management request waits for it: move slow work to a queue.
	 * @default no audit
	 */
	audit?: AuditSink;
	/**
	 * Opens `POST /tenant/impersonate`. Callers who may manage a tenant can then impersonate its users in a short, restricted
	 * session. Requires `audit`. `authorize` decides about it too (`action: "tenant:impersonate"`).
	 * @default off
	 */
	impersonation?: ImpersonationOptions;
	/**
	 * Lets `keys` export and import tenants and users over HTTP, with password hashes: `POST /tenant/import`,
	 * `GET /tenant/export-users`, `POST /tenant/import-users`. No session, role or `authorize` allows it. Set it only while you
	 * move data.
	 * @default false
	 */
	transfer?: boolean;
};

/**
 * Impersonation of a tenant's users by operators. An impersonated session has `session.operatorId`, the operator
 * (`key:…`, `user:…` or `server`).
 *
 * This differs from the admin plugin's `session.impersonatedBy`. There, a user impersonates another user of the same tenant,
 * the field holds the user's id, and the session can do all that the impersonated user can. A session with `operatorId` was
 * created by an operator, usually from outside the tenant, and may call only allowed endpoints.
 *
 * @example
 * ```ts
 * tenantAuth({
 * 	management: { audit, impersonation: { maxAge: 600, allow: ["/organization/list"] } },
 * });
 * ```
 */
type ImpersonationOptions = {
	/**
	 * Lifetime of an impersonated session in seconds, 1 to 3600. It is never extended.
	 * @default 900
	 */
	maxAge?: number;
	/**
	 * Paths of endpoints that an impersonated session may call in addition to `/get-session` and `/sign-out`, for example
	 * `"/organization/get-full-organization"`. Make sure that they return nothing that outlasts the session.
	 * @default []
	 */
	allow?: string[];
};

export type Management = ReturnType<typeof createManagement>;

/** Who may manage what. */
export const managementOf = defineService<Management>("management");

/** Where an endpoint finds its tenant. The guard and the handler use one result, so what is allowed is what runs. */
export type Target = "none" | "new" | "body" | "body-id" | "query" | "query-id" | "hint";

/** What a handler adds to the entry of its attempt. */
type Recorded = Pick<AuditEntry, "outcome" | "code" | "userId" | "reason"> & { tenantId?: string };

type Guard = {
	action: ManagementAction;
	target: Target;
	/**
	 * The option that opens the endpoint, in addition to the authority of the caller. `transfer` also requires a key, because
	 * password hashes leave the server. No session, role or `authorize` allows it.
	 */
	requires?: "impersonation" | "transfer";
	/** The handler audits what is allowed, because only it knows the tenant or the user. */
	recordedByHandler?: boolean;
	/** Only keys, `userIds`, `roles` and server code. `authorize` is not asked, because tenant admins may pass it. */
	operatorsOnly?: boolean;
};

/** What a guard puts into the handler's context. */
type Guarded = {
	targetId: string | null;
	actor: Actor;
	/** The caller is an admin of the tenant. What operators note about it is not for them. */
	isTenantAdmin: boolean;
	record: (entry: Recorded) => Promise<void>;
};

/** Guards the management endpoints. They are closed unless an option opens them. */
export const createManagement = (options: ManagementOptions, sources: HintSources) => {
	const audit = createAudit(options.audit);
	const admit = createAdmission(options, audit);

	/** Returns the target and the actor of an allowed attempt. Audits it, and throws a refusal. */
	const enforce = async (
		ctx: GenericEndpointContext,
		{ action, target, requires, recordedByHandler = false, operatorsOnly = false }: Guard,
	): Promise<Guarded> => {
		ctx.setHeader("cache-control", "no-store");
		if (requires === "impersonation" && !options.impersonation)
			throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.IMPERSONATION_DISABLED);
		const named = await readTarget(ctx, target, sources);
		const { actor, isTenantAdmin } = await admit(ctx, action, named, {
			keysOnly: requires === "transfer",
			operatorsOnly,
		});
		const targetId = target === "new" ? newRowId(ctx.context, "tenant") : named;
		const slug = slugIn(target, ctx);
		const record: Guarded["record"] = (entry) =>
			audit(ctx, { action, tenantId: targetId, actor, ...(slug ? { slug } : {}), ...entry });
		if (requires === "transfer" && options.transfer !== true && actor.kind !== "server") {
			const disabled = TRANSFER_ERROR_CODES.TRANSFER_DISABLED;
			await record({ outcome: "refused", code: disabled.code });
			throw APIError.from("FORBIDDEN", disabled);
		}
		if (!recordedByHandler) await record({ outcome: "allowed" });
		return { targetId, actor, isTenantAdmin, record };
	};

	return {
		/** For endpoints of other plugins that manage a tenant. Throws unless the caller is allowed. */
		assertAllowed: async (ctx: GenericEndpointContext, action: ManagementAction, tenantId: string): Promise<void> => {
			const { actor } = await admit(ctx, action, tenantId);
			await audit(ctx, { action, tenantId, actor, outcome: "allowed" });
		},
		enforce,
		/** Stands in an endpoint's `use` list. Puts the target and the actor into the handler's context. */
		guard: (guard: Guard) => createAuthMiddleware(async (ctx) => enforce(ctx, guard)),
	};
};

/** Creates the function that returns who acts, if the caller is allowed. It audits and throws a refusal. */
const createAdmission = (options: ManagementOptions, audit: ReturnType<typeof createAudit>) => {
	const findKey = createKeyRing(options.keys ?? []);

	/** Asks `authorize`. If it throws, the refusal is audited and the error is thrown. */
	const isAuthorized = async (ctx: GenericEndpointContext, attempt: ManagementAttempt): Promise<boolean> => {
		try {
			return (await options.authorize?.(attempt)) === true;
		} catch (error) {
			const { action, tenantId, session } = attempt;
			const actor: Actor = session ? actorOf(session) : { kind: "unknown" };
			const { code } = TENANT_AUTH_ERROR_CODES.TENANT_MANAGEMENT_NOT_ALLOWED;
			await audit(ctx, { action, tenantId, actor, outcome: "refused", code });
			throw error;
		}
	};

	return async (
		ctx: GenericEndpointContext,
		action: ManagementAction,
		tenantId: string | null,
		{ keysOnly = false, operatorsOnly = false } = {},
	): Promise<Admitted> => {
		const headers = ctx.headers ?? ctx.request?.headers;
		// the engine's own rule: a call with neither headers nor request comes from server code
		if (!headers) return admitted({ kind: "server" });
		const key = await findKey(headers);
		if (key !== null) return admitted({ kind: "key", name: key });
		const session: CallerSession | null = await getAuthoritativeSessionFromCtx(ctx);
		// an impersonated session manages nothing, even if `authorize` would allow its user
		const isImpersonated = session?.session.operatorId != null;
		if (!isImpersonated && !keysOnly) {
			if (session && isOperator(session, options)) return admitted(actorOf(session));
			if (!operatorsOnly && (await isAuthorized(ctx, { action, tenantId, session, headers })))
				return admitted(session ? actorOf(session) : { kind: "application" });
			if (!operatorsOnly && session && (await isAdmittedByCompanion(ctx, { action, tenantId, session })))
				return { actor: actorOf(session), isTenantAdmin: true };
		}
		const [status, error] = refusalOf({
			isImpersonated,
			hasCredential: session !== null || headers.has("authorization"),
		});
		const actor: Actor = session ? actorOf(session) : { kind: "unknown" };
		await audit(ctx, { action, tenantId, actor, outcome: "refused", code: error.code });
		throw APIError.from(status, error);
	};
};

type Admitted = Pick<Guarded, "actor" | "isTenantAdmin">;

const admitted = (actor: Actor): Admitted => ({ actor, isTenantAdmin: false });

const isAdmittedByCompanion = async (ctx: GenericEndpointContext, attempt: CompanionAttempt): Promise<boolean> => {
	for (const { admits } of companionsOf(ctx.context.options.plugins))
		if ((await admits?.(ctx, attempt)) === true) return true;
	return false;
};

const actorOf = ({ session, user }: CallerSession): Actor => ({
	kind: "session",
	userId: String(user.id),
	tenantId: String(session.tenantId),
	...(session.operatorId == null ? {} : { operatorId: String(session.operatorId) }),
});

const refusalOf = ({ isImpersonated, hasCredential }: { isImpersonated: boolean; hasCredential: boolean }) => {
	if (isImpersonated) return ["FORBIDDEN", TENANT_AUTH_ERROR_CODES.IMPERSONATION_NOT_ALLOWED] as const;
	if (hasCredential) return ["FORBIDDEN", TENANT_AUTH_ERROR_CODES.TENANT_MANAGEMENT_NOT_ALLOWED] as const;
	return ["UNAUTHORIZED", TENANT_AUTH_ERROR_CODES.TENANT_MANAGEMENT_UNAUTHORIZED] as const;
};

const readTarget = async (
	ctx: GenericEndpointContext,
	target: Target,
	sources: HintSources,
): Promise<string | null> => {
	switch (target) {
		case "none":
		case "new":
			return null;
		case "body":
			return isTenantId(ctx.body?.tenantId) ? ctx.body.tenantId : null;
		case "body-id":
			return isTenantId(ctx.body?.id) ? ctx.body.id : null;
		case "query":
			return isTenantId(ctx.query?.tenantId) ? ctx.query.tenantId : null;
		case "query-id": {
			const id: unknown = ctx.query?.id ?? ctx.query?.tenantId;
			return isTenantId(id) ? id : null;
		}
		case "hint":
			return readHint(resolvable(ctx), sources);
	}
};

/** The slug that a request names instead of an id. */
const slugIn = (target: Target, { body, query }: GenericEndpointContext): string | null => {
	const slug: unknown = target === "new" ? body?.slug : target === "query-id" ? query?.slug : null;
	return typeof slug === "string" && SLUG.test(slug) ? slug : null;
};

/** Returns the target, or throws if the request names none. */
export const requireTarget = (targetId: string | null): string => {
	if (targetId === null) throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.TENANT_ID_REQUIRED);
	return targetId;
};

const isOperator = ({ session, user }: CallerSession, { userIds, roles }: ManagementOptions): boolean => {
	// a session that another user impersonates would act, and be audited, under the operator's name. The admin plugin ends the
	// sessions of a user when it bans them; another way to write the ban does not
	if (session.tenantId !== PLATFORM || session.impersonatedBy != null || isBanned(user)) return false;
	if (userIds?.includes(String(user.id))) return true;
	// the admin plugin keeps several roles in one column, separated by commas
	const held = typeof user.role === "string" ? user.role.split(",") : [];
	return held.some((role) => roles?.includes(role.trim()) ?? false);
};
