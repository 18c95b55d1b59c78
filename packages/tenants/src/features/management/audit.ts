import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { getIP } from "better-auth/api";
import type { ManagementAction } from "../../endpoints/action.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { endApart, isApart, runApart } from "../../scope/pin/request-record.ts";

/**
 * Who acted. Contains no credential.
 *
 * @example
 * ```ts
 * const actor: Actor = { kind: "session", userId: "u1", tenantId: "platform" };
 * ```
 */
export type Actor =
	/** A management key. `name` is the start of its SHA-256: `printf %s "$KEY" | sha256sum | cut -c1-12`. */
	| { kind: "key"; name: string }
	/** A session. `operatorId` is set if the session is impersonated, and identifies the operator. */
	| { kind: "session"; userId: string; tenantId: string; operatorId?: string }
	/** Your server code: a call of `auth.api` with neither request nor headers. */
	| { kind: "server" }
	/** A caller without a key or a session whom `authorize` allowed. */
	| { kind: "application" }
	/** A refused caller with neither a known key nor a session. */
	| { kind: "unknown" };

/**
 * One attempt to manage.
 *
 * @example
 * ```ts
 * const isChange = ({ action, outcome }: AuditEntry) =>
 * 	outcome === "allowed" && !action.endsWith(":get") && !action.endsWith(":list");
 * ```
 */
export type AuditEntry = {
	/** When the attempt was made. */
	at: Date;
	/** What the caller wants to do. */
	action: ManagementAction;
	/**
	 * The tenant, also the one that is about to be created. Null if the action is about all tenants or names none, for a
	 * refused caller who names a tenant by slug, and for a new tenant whose id the database chooses.
	 */
	tenantId: string | null;
	/** The slug that the request names. Only with `tenant:create` and `tenant:get`. */
	slug?: string;
	/** Who made the attempt. */
	actor: Actor;
	/** `allowed` is written before the action, which can still fail, for example because the slug is taken. */
	outcome: "allowed" | "refused";
	/** The error code of a refusal. */
	code?: string;
	/** The user. Only with `tenant:impersonate` and the actions of `better-auth-tenants/admin` on one user. */
	userId?: string;
	/** Why, in the operator's own words. Only with `tenant:impersonate`, `tenant:suspend`, `tenant:restore` and `tenant:archive`. */
	reason?: string;
	/** The IP address as Better Auth determines it (`advanced.ipAddress`). */
	ip?: string;
};

/**
 * Stores audit entries. If it throws, an allowed action does not run.
 *
 * @example
 * ```ts
 * const audit: AuditSink = async (entry) => {
 * 	await sql`insert into audit_log (at, entry) values (${entry.at}, ${JSON.stringify(entry)})`;
 * };
 * ```
 */
export type AuditSink = (entry: AuditEntry) => void | Promise<void>;

/**
 * Writes attempts to the application's sink. If the sink throws, an allowed action does not run and returns 503. A refusal
 * stands, written or not.
 */
export const createAudit =
	(sink: AuditSink | undefined) =>
	async (ctx: GenericEndpointContext, entry: Omit<AuditEntry, "at" | "ip">): Promise<void> => {
		// the sink may call auth.api itself, for example to read a tenant's name: as a request of its own, without recursion
		if (!sink || isApart("audit")) return;
		const headers = ctx.request?.headers ?? ctx.headers;
		const ip = headers && getIP(headers, ctx.context.options);
		const whole: AuditEntry = { at: new Date(), ...entry, ...(ip ? { ip } : {}) };
		try {
			await runApart("audit", async () => {
				try {
					await sink(whole);
				} finally {
					// what the sink has left running is audited like every other call
					endApart("audit");
				}
			});
		} catch (error) {
			ctx.context.logger.error(
				`tenantAuth: management.audit threw on ${entry.action} (${entry.outcome}). Management returns 503 until it succeeds. Fix the sink.`,
				error,
			);
			if (entry.outcome === "allowed")
				throw APIError.from("SERVICE_UNAVAILABLE", TENANT_AUTH_ERROR_CODES.AUDIT_UNAVAILABLE);
		}
	};

/** The actor as one string, for `session.operatorId`, which users of the tenant and applications can read. */
export const nameActor = (actor: Actor): string => {
	switch (actor.kind) {
		case "key":
			return `key:${actor.name}`;
		case "session":
			return `user:${actor.userId}`;
		default:
			return actor.kind;
	}
};
