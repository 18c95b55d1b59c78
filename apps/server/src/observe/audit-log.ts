import { appendFile } from "node:fs/promises";
import type { AuditEntry } from "better-auth-tenants";
import type { ObserveConfig } from "../config/observe.ts";
import type { LogOutput } from "./log-output.ts";
import { createLogger } from "./logger.ts";

export type AuditLog = (entry: AuditEntry) => Promise<void>;

/**
 * Writes audit entries to their own file, or else to the log, whatever its level. Throws if an entry could not be written: the
 * action then does not run.
 */
export const createAuditLog = (
	{ auditFile }: Pick<ObserveConfig, "auditFile">,
	output: Pick<LogOutput, "write">,
): AuditLog => {
	let line = "";
	const format = createLogger(
		{ logLevel: "info" },
		{
			write: (text: string) => {
				line = text;
			},
		},
	);
	return async (entry) => {
		format.info({ audit: entry }, "management");
		// not readable by others: it names operators and tenants
		if (auditFile !== undefined) await appendFile(auditFile, line, { mode: 0o600 });
		else if (!output.write(line)) throw new Error("The log is full: nobody reads it");
	};
};
