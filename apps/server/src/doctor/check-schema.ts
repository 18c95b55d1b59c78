import type { Pool } from "pg";
import type { Auth } from "../auth/create-auth.ts";
import { findProcesses } from "../database/processes.ts";
import { checkSchema as findMissing, findPending } from "../schema/schema-check.ts";
import { schemaFingerprint } from "../schema/schema-fingerprint.ts";
import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";
import type { Patient } from "./patient.ts";

const { ok, warning, wrong, notChecked } = findingsOf("schema");

/** Checks tables, columns and the indexes that separate tenants, as `serve` does at startup. */
export const checkSchema = async ({ pool, auth: open }: Patient): Promise<Finding[]> => {
	const auth = open();
	if (!auth || !pool) return [notChecked("the configuration is incomplete")];
	try {
		await auth.$context;
	} catch {
		return [
			wrong(
				"Better Auth does not start with this configuration",
				"Fix the other problems first. `tenants serve` shows details.",
			),
		];
	}
	try {
		const missing = await findMissing(auth, pool);
		if (missing.length === 0)
			return [
				ok("Tables, columns and indexes match this version"),
				...(await checkPending(auth, pool)),
				...(await checkProcesses(auth, pool)),
			];
		return missing.map((what) =>
			wrong(
				what.replace(/\. Run `migrate`$/, ""),
				"Run `tenants migrate`. `tenants migrate --dry-run` shows the changes.",
			),
		);
	} catch (error) {
		return [notChecked(`the database could not be queried: ${describeFailure(error).says}`)];
	}
};

const checkPending = async (auth: Auth, pool: Pool): Promise<Finding[]> =>
	(await findPending(auth, pool)).map((sql) =>
		warning(
			`The last upgrade is not complete. This statement waits: ${sql}`,
			"Run `tenants migrate --contract` when no process of the previous version is left.",
		),
	);

const checkProcesses = async (auth: Auth, pool: Pool): Promise<Finding[]> => {
	const own = await schemaFingerprint(auth);
	const processes = await findProcesses(pool);
	const others = processes.filter(({ schema }) => schema !== own);
	if (others.length > 0)
		return [
			warning(
				`${others.length} of ${processes.length} running processes expect another schema, on ${[...new Set(others.map(({ host }) => host))].join(", ")}`,
				"Restart them with this version and configuration.",
			),
		];
	return processes.length > 0 ? [ok(`All ${processes.length} running processes expect this schema`)] : [];
};
