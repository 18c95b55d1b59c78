import { checkSchema as findMissing } from "../database/schema-check.ts";
import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";
import type { Patient } from "./patient.ts";

const { ok, wrong, notChecked } = findingsOf("schema");

/** Whether tables, columns and the indexes that keep tenants apart are there: what `serve` asks before it starts. */
export const checkSchema = async ({ pool, auth: open }: Patient): Promise<Finding[]> => {
	const auth = open();
	if (!auth || !pool) return [notChecked("the configuration is not complete")];
	try {
		await auth.$context;
	} catch {
		return [
			wrong(
				"The engine does not start with this configuration",
				"Mend what else is wrong here; `tenants serve` says more.",
			),
		];
	}
	try {
		const missing = await findMissing(auth, pool);
		if (missing.length === 0) return [ok("Tables, columns and indexes are those of this version")];
		return missing.map((what) =>
			wrong(
				what.replace(/\. Run `migrate`$/, ""),
				"Run `tenants migrate`; `tenants migrate --dry-run` shows what it would do.",
			),
		);
	} catch (error) {
		return [notChecked(`the database could not be asked: ${describeFailure(error).says}`)];
	}
};
