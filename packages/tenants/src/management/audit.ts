import { AsyncLocalStorage } from "node:async_hooks";
import type { GenericEndpointContext } from "@better-auth/core";
import { runWithRequestState } from "@better-auth/core/context";
import { APIError } from "@better-auth/core/error";
import { getIP } from "better-auth/api";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import type { ManagementAction } from "./action.ts";

/** Who acted, without anything that could be used to act again. */
export type Actor =
	/** `name` is the beginning of the key's SHA-256: `printf %s "$KEY" | sha256sum | cut -c1-12` */
	| { kind: "key"; name: string }
	/** `enteredBy` where the session itself belongs to somebody who entered the tenant */
	| { kind: "session"; userId: string; tenantId: string; enteredBy?: string }
	/** your own code: a call of `auth.api` with neither request nor headers */
	| { kind: "server" }
	/** admitted by `authorize`, with neither a key nor a session */
	| { kind: "application" }
	/** refused, with neither a known key nor a session */
	| { kind: "unknown" };

/** One attempt to manage. */
export type AuditEntry = {
	at: Date;
	action: ManagementAction;
	/** null when it is about all tenants, about one named by slug, or names none */
	tenantId: string | null;
	actor: Actor;
	/** `allowed` is written before the action, which may still fail (a taken slug, say). */
	outcome: "allowed" | "refused";
	/** the error code of a refusal */
	code?: string;
	/** whom an operator enters as, and why, in his own words; only with `tenant:enter` */
	userId?: string;
	reason?: string;
	/** as the engine determines it (`advanced.ipAddress`) */
	ip?: string;
};

export type AuditSink = (entry: AuditEntry) => void | Promise<void>;

/** Still on while the sink runs; what it started and left running is on record like everybody else. */
const auditing = new AsyncLocalStorage<{ on: boolean }>();

/**
 * Writes attempts to the application's sink. What cannot be written must not happen: an allowed action is refused with
 * 503 then. A refusal stands, written or not.
 */
export const createAudit =
	(sink: AuditSink | undefined) =>
	async (ctx: GenericEndpointContext, entry: Omit<AuditEntry, "at" | "ip">): Promise<void> => {
		// the sink may call auth.api itself, to show a tenant's name: in a request state of its own, and not for ever
		if (!sink || auditing.getStore()?.on) return;
		const headers = ctx.request?.headers ?? ctx.headers;
		const ip = headers && getIP(headers, ctx.context.options);
		const whole: AuditEntry = { at: new Date(), ...entry, ...(ip ? { ip } : {}) };
		const marker = { on: true };
		try {
			await auditing.run(marker, () => runWithRequestState(new WeakMap(), async () => sink(whole)));
		} catch (error) {
			ctx.context.logger.error(
				`tenantAuth: management.audit threw on ${entry.action} (${entry.outcome}). Until it takes entries again, nothing can be managed; mend the sink.`,
				error,
			);
			if (entry.outcome === "allowed")
				throw APIError.from("SERVICE_UNAVAILABLE", TENANT_AUTH_ERROR_CODES.AUDIT_UNAVAILABLE);
		} finally {
			marker.on = false;
		}
	};

/** The actor in a word, for the column that a tenant's people and applications see. */
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
