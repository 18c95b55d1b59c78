import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** Ignored by git. */
export const FOLDER = join(ROOT, "proof/isolation/.mutants/statements");
/** Of this process, because two may run at once. */
const OWN = join(FOLDER, `run-${process.pid}`);
/** Names the plan to the run of vitest. */
export const PLAN = "ISOLATION_PLAN";

/** What one run of vitest does. */
export type Plan = {
	path: string;
	/** generated test files */
	files: string[];
	/** a pattern of the names of the tests that run */
	named: string | null;
	/** a line of JSON for each result */
	log: string;
};

export type Generated = {
	/** below packages/tenants */ file: string /** without these statements; unchanged if null */;
	without: string[] | null;
	result?: string;
};

const WATCH = join(import.meta.dirname, "watch.ts");

/** Writes a test file for each test file, which runs it as often as it has statements to remove. */
export const writePlan = (generated: Generated[], named: string | null): Plan => {
	removePlan();
	mkdirSync(OWN, { recursive: true });
	const files = generated.map(({ file, without, result }, at) => {
		const path = join(OWN, `${at}.removed.ts`);
		const tested = join(ROOT, "packages/tenants", file);
		const calls = without?.map((id) => `without("${id}", () => import("${tested}?${id}"));`) ?? [
			`unchanged("${result}", () => import("${tested}?unchanged"));`,
		];
		writeFileSync(path, [`import { unchanged, without } from "${WATCH}";`, ...calls].join("\n"));
		return path;
	});
	const plan: Plan = { path: join(OWN, "plan.json"), files, named, log: join(OWN, "log.jsonl") };
	writeFileSync(plan.path, JSON.stringify(plan));
	writeFileSync(plan.log, "");
	return plan;
};

export const removePlan = (): void => rmSync(OWN, { recursive: true, force: true });

export const readPlan = (): Plan => JSON.parse(readFileSync(process.env[PLAN] ?? "", "utf8")) as Plan;
