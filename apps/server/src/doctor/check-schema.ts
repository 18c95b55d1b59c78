import { checkSchema as findMissing } from "../database/schema-check.ts";
import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";
import type { Patient } from "./patient.ts";

const { ok, wrong, notChecked } = findingsOf("schema");

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
		if (missing.length === 0) return [ok("Tables, columns and indexes match this version")];
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
