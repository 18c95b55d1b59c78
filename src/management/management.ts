import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthMiddleware } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import { getAuthoritativeSessionFromCtx } from "better-auth/api";
import { constantTimeEqual } from "better-auth/crypto";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { type HintSources, readHint } from "../resolve/hint.ts";
import { isTenantId } from "../resolve/tenant-id.ts";
import { resolvable } from "../scope/decide.ts";
import { PLATFORM } from "../scope/platform.ts";

export type ManagementAction =
	| "tenant:create"
	| "tenant:get"
	| "tenant:list"
	| "tenant:update"
	| "tenant:delete"
	| "oauth-config:register"
	| "oauth-config:list"
	| "oauth-config:delete";

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
};

export type Management = ReturnType<typeof createManagement>;

/** Which tenant an endpoint acts on. The guard and the handler use one answer, so what is allowed is what is done. */
export type Target = "none" | "body" | "query-id" | "hint";

/** Guards the management endpoints: closed unless an option opens them. Stands in an endpoint's `use` list. */
export const createManagement = (options: ManagementOptions, sources: HintSources) => {
	const keyDigests = Promise.all((options.keys ?? []).map(digest));

	const assertAllowed = async (
		ctx: GenericEndpointContext,
		action: ManagementAction,
		tenantId: string | null,
	): Promise<void> => {
		const headers = ctx.headers ?? ctx.request?.headers;
		// the engine's own rule: a call with neither came from the server's code, not from outside
		if (!headers) return;
		if (await hasKey(headers, await keyDigests)) return;
		const session: CallerSession | null = await getAuthoritativeSessionFromCtx(ctx);
		if (session && isOperator(session, options)) return;
		if ((await options.authorize?.({ action, tenantId, session, headers })) === true) return;
		if (session || headers.has("authorization")) {
			throw APIError.from("FORBIDDEN", TENANT_AUTH_ERROR_CODES.TENANT_MANAGEMENT_NOT_ALLOWED);
		}
		throw APIError.from("UNAUTHORIZED", TENANT_AUTH_ERROR_CODES.TENANT_MANAGEMENT_UNAUTHORIZED);
	};

	return {
		of: (action: ManagementAction, target: Target) =>
			createAuthMiddleware(async (ctx) => {
				ctx.setHeader("cache-control", "no-store");
				const targetId = await readTarget(ctx, target, sources);
				await assertAllowed(ctx, action, targetId);
				return { targetId };
			}),
	};
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

/** Digests are compared, not keys: equal lengths, and time that says nothing about the key. */
const hasKey = async (headers: Headers, digests: Uint8Array<ArrayBuffer>[]): Promise<boolean> => {
	const header = headers.get("authorization") ?? "";
	if (header.slice(0, 7).toLowerCase() !== "bearer ") return false;
	const sent = await digest(header.slice(7).trim());
	let found = false;
	for (const known of digests) if (constantTimeEqual(known, sent)) found = true;
	return found;
};

const digest = async (key: string): Promise<Uint8Array<ArrayBuffer>> =>
	new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)));
