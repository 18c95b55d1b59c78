import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthMiddleware } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import { getAuthoritativeSessionFromCtx } from "better-auth/api";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { type HintSources, readHint } from "../resolve/hint.ts";
import { isTenantId } from "../resolve/tenant-id.ts";
import { resolvable } from "../scope/decide.ts";
import { PLATFORM } from "../scope/platform.ts";
import { TRANSFER_ERROR_CODES } from "../transfer-error-codes.ts";
import type { ManagementAction } from "./action.ts";
import { type Actor, type AuditEntry, type AuditSink, createAudit } from "./audit.ts";
import { createKeyRing } from "./keys.ts";

type CallerSession = { session: Record<string, unknown>; user: Record<string, unknown> };

/** Who wants to do what to which tenant. */
export type ManagementAttempt = {
	action: ManagementAction;
	/** The tenant it is about; null when it is about all of them (create, list) or one named by slug. */
	tenantId: string | null;
	/** The caller's live session, of the platform or of a tenant (`session.session.tenantId` says which); null without one. */
	session: CallerSession | null;
	headers: Headers;
};

export type ManagementOptions = {
	/** Keys for machines, sent as `Authorization: Bearer KEY`. At least 32 characters each. They may do everything. */
	keys?: string[];
	/** Platform users who may manage every tenant. */
	userIds?: string[];
	/** Roles (of the engine's admin plugin) whose platform users may manage every tenant. */
	roles?: string[];
	/**
	 * Decides about everyone else: admit tenant admins here, for their own tenant. A hint is not an authority: compare
	 * `tenantId` with `session.session.tenantId`.
	 */
	authorize?: (attempt: ManagementAttempt) => boolean | Promise<boolean>;
	/**
	 * Told of every attempt to manage, reading included, refused ones too, before it happens. When it throws, the action
	 * does not happen (503 `AUDIT_UNAVAILABLE`). It is waited for: queue what takes long.
	 */
	audit?: AuditSink;
	/**
	 * Opens `POST /tenant/enter`, by which whoever may manage a tenant gets a short session inside it as one of its users.
	 * Needs `audit`. Off unless given. `authorize` is asked about it too (`action: "tenant:enter"`).
	 */
	enter?: {
		/**
		 * Seconds such a session lives. It is never extended. At most 3600.
		 * @default 900
		 */
		maxAge?: number;
		/**
		 * Paths of the engine's endpoints that such a session may call besides `/get-session` and `/sign-out`, e.g.
		 * `"/organization/get-full-organization"`. You answer for it that they give nothing that outlasts the session.
		 * @default []
		 */
		allow?: string[];
	};
	/**
	 * Lets `keys` move tenants and users in and out over HTTP, password hashes included: `POST /tenant/import`,
	 * `GET /tenant/export-users`, `POST /tenant/import-users`. Sessions never may, nor does `authorize` decide about it.
	 * Turn it on for the time of a move.
	 * @default false
	 */
	transfer?: boolean;
	/**
	 * Says whether your `emailAndPassword.password.verify` can check a password against this hash. A user with any other
	 * is not imported: nobody could sign in with it.
	 * @default the hashes that the engine makes itself
	 */
	acceptsPasswordHash?: (hash: string) => boolean;
};

export type Management = ReturnType<typeof createManagement>;

/** Which tenant an endpoint acts on. The guard and the handler use one answer, so what is allowed is what is done. */
export type Target = "none" | "body" | "body-id" | "query" | "query-id" | "hint";

type Guard = {
	action: ManagementAction;
	target: Target;
	/**
	 * The option that opens the endpoint, beside the authority of the caller. `transfer` also requires a key: password
	 * hashes leave the server, which no session, role or `authorize` opens.
	 */
	requires?: "enter" | "transfer";
};

/** Guards the management endpoints: closed unless an option opens them. */
export const createManagement = (options: ManagementOptions, sources: HintSources) => {
	const findKey = createKeyRing(options.keys ?? []);
	const audit = createAudit(options.audit);

	/** What the application says; when it throws nobody is let through, and that is on record too. */
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

	/** Who is let through; a refusal is audited and thrown. */
	const admit = async (
		ctx: GenericEndpointContext,
		action: ManagementAction,
		tenantId: string | null,
		{ keysOnly = false } = {},
	): Promise<Actor> => {
		const headers = ctx.headers ?? ctx.request?.headers;
		// the engine's own rule: a call with neither came from the server's code, not from outside
		if (!headers) return { kind: "server" };
		const key = await findKey(headers);
		if (key !== null) return { kind: "key", name: key };
		const session: CallerSession | null = await getAuthoritativeSessionFromCtx(ctx);
		// an operator inside a tenant is a guest there, whoever `authorize` would take him for
		const isGuest = session?.session.enteredBy != null;
		if (!isGuest && !keysOnly) {
			if (session && isOperator(session, options)) return actorOf(session);
			if (await isAuthorized(ctx, { action, tenantId, session, headers }))
				return session ? actorOf(session) : { kind: "application" };
		}
		const [status, error] = refusalOf({ isGuest, isSomebody: session !== null || headers.has("authorization") });
		const actor: Actor = session ? actorOf(session) : { kind: "unknown" };
		await audit(ctx, { action, tenantId, actor, outcome: "refused", code: error.code });
		throw APIError.from(status, error);
	};

	return {
		/** For endpoints of other plugins that manage a tenant: throws unless the caller may. */
		assertAllowed: async (ctx: GenericEndpointContext, action: ManagementAction, tenantId: string): Promise<void> => {
			const actor = await admit(ctx, action, tenantId);
			await audit(ctx, { action, tenantId, actor, outcome: "allowed" });
		},
		/** Stands in an endpoint's `use` list. The handler finds the target in its context, and who acts. */
		guard: ({ action, target, requires }: Guard) =>
			createAuthMiddleware(async (ctx) => {
				ctx.setHeader("cache-control", "no-store");
				if (requires === "enter" && !options.enter)
					throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.ENTERING_DISABLED);
				const targetId = await readTarget(ctx, target, sources);
				const actor = await admit(ctx, action, targetId, { keysOnly: requires === "transfer" });
				const record = (entry: Pick<AuditEntry, "outcome" | "code" | "userId" | "reason">) =>
					audit(ctx, { action, tenantId: targetId, actor, ...entry });
				if (requires === "transfer" && options.transfer !== true && actor.kind !== "server") {
					const disabled = TRANSFER_ERROR_CODES.TRANSFER_DISABLED;
					await record({ outcome: "refused", code: disabled.code });
					throw APIError.from("FORBIDDEN", disabled);
				}
				// who enters is recorded by the handler: only it knows whether there is a user to enter as
				if (requires !== "enter") await record({ outcome: "allowed" });
				return { targetId, actor, record };
			}),
	};
};

const actorOf = ({ session, user }: CallerSession): Actor => ({
	kind: "session",
	userId: String(user.id),
	tenantId: String(session.tenantId),
	...(session.enteredBy == null ? {} : { enteredBy: String(session.enteredBy) }),
});

const refusalOf = ({ isGuest, isSomebody }: { isGuest: boolean; isSomebody: boolean }) => {
	if (isGuest) return ["FORBIDDEN", TENANT_AUTH_ERROR_CODES.ENTERED_SESSION_NOT_ALLOWED] as const;
	if (isSomebody) return ["FORBIDDEN", TENANT_AUTH_ERROR_CODES.TENANT_MANAGEMENT_NOT_ALLOWED] as const;
	return ["UNAUTHORIZED", TENANT_AUTH_ERROR_CODES.TENANT_MANAGEMENT_UNAUTHORIZED] as const;
};

const readTarget = async (
	ctx: GenericEndpointContext,
	target: Target,
	sources: HintSources,
): Promise<string | null> => {
	switch (target) {
		case "none":
			return null;
		case "body":
			return isTenantId(ctx.body?.tenantId) ? ctx.body.tenantId : null;
		case "body-id":
			return isTenantId(ctx.body?.id) ? ctx.body.id : null;
		case "query":
			return isTenantId(ctx.query?.tenantId) ? ctx.query.tenantId : null;
		case "query-id":
			return isTenantId(ctx.query?.id) ? ctx.query.id : null;
		case "hint":
			return readHint(resolvable(ctx), sources);
	}
};

/** The target of a request that cannot do without one. */
export const requireTarget = (targetId: string | null): string => {
	if (targetId === null) throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.TENANT_ID_REQUIRED);
	return targetId;
};

const isOperator = ({ session, user }: CallerSession, { userIds, roles }: ManagementOptions): boolean => {
	if (session.tenantId !== PLATFORM) return false;
	if (userIds?.includes(String(user.id))) return true;
	// the admin plugin keeps several roles in one column, separated by commas
	const held = typeof user.role === "string" ? user.role.split(",") : [];
	return held.some((role) => roles?.includes(role.trim()) ?? false);
};
