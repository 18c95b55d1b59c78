import { setTimeout as wait } from "node:timers/promises";
import type { AuditEntry } from "better-auth-tenants";
import type { Pool } from "pg";
import type { Auth } from "../../auth/create-auth.ts";
import type { Engine, Operator } from "../../operators/find-operators.ts";
import type { createOperators } from "../../operators/operators.ts";
import { CommandError } from "../command-error.ts";
import { withEngine } from "../with-engine.ts";

type Operators = ReturnType<typeof createOperators>;

/** Milliseconds in which a sign-in that has checked the password stores its session. */
const SETTLES = 5_000;

const FIX = "Run `tenants migrate` first, then this command again.";

/** Reads or changes operators on the configured database. */
export const withOperators = (act: (operators: Operators, auth: Auth) => Promise<void>): Promise<void> =>
	withEngine(
		async (auth, pool) => {
			const { readConfig } = await import("../../config/config.ts");
			const { createOperators } = await import("../../operators/operators.ts");
			const { management } = readConfig(process.env);
			// the type of a context with certain options is not one of a context with any
			const engine = auth.$context as Promise<unknown> as Promise<Engine>;
			const { endImpersonatedBy } = await import("../../database/end-sessions.ts");
			const endImpersonated = (userId: string) => endImpersonatedBy(pool, userId);
			const note = await noteChanges(pool);
			await act(createOperators({ engine, management, note, endImpersonated, settle: () => wait(SETTLES) }), auth);
		},
		{ code: "OPERATOR_NOT_CHANGED", fix: FIX, explain: explainNotDisabled },
	);

const explainNotDisabled = (error: Error): CommandError | null =>
	error.name === "NotDisabled"
		? new CommandError("OPERATOR_NOT_DISABLED", error.message, {
				fix: "Remove the id from MANAGEMENT_USER_IDS and restart the server, or add admin to PLUGINS.",
			})
		: null;

/** Notes a change as the server does: in AUDIT_FILE, and among the events of the console. */
export const noteChanges = async (pool: Pool) => {
	const { readConfig } = await import("../../config/config.ts");
	const { createAuditLog } = await import("../../observe/audit-log.ts");
	const { keepEvent } = await import("../../console/events.ts");
	const { observe, console: ofConsole } = readConfig(process.env);
	// without a file, the command itself is what is seen: its output is for whoever runs it
	const log = observe.auditFile === undefined ? null : createAuditLog(observe, { write: () => true });
	return async (action: AuditEntry["action"], userId?: string): Promise<void> => {
		const entry: AuditEntry = {
			at: new Date(),
			action,
			tenantId: null,
			actor: { kind: "server" },
			outcome: "allowed",
			...(userId === undefined ? {} : { userId }),
		};
		await log?.(entry);
		if (ofConsole.enabled) await keepEvent(pool, entry);
	};
};

/** The operator, or what to do if nobody has the email. */
export const required = (operator: Operator | null, email: string): Operator => {
	if (operator) return operator;
	throw new CommandError("OPERATOR_NOT_FOUND", `No operator has the email ${email}`, {
		fix: "Look at `tenants operator list`.",
	});
};
