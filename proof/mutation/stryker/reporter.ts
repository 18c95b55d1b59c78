import { appendFileSync, writeFileSync } from "node:fs";
import { fileOf, isAsked, keyOf, nameOf, type Place, readJob } from "./job.ts";

type Mutant = {
	fileName: string;
	location: { start: Place; end: Place };
	mutatorName: string;
	replacement?: string;
	status?: string;
	statusReason?: string;
	testsCompleted?: number;
	killedBy?: string[];
};
type Test = { id: string; name: string; timeSpentMs: number };

/** What Stryker saw of a mutant. */
export type Logged = {
	file: string;
	key: string;
	status: string;
	/** the test that failed, with the first line of its error */
	by: string;
	tests: number;
};

const job = readJob();
const asked = isAsked(job);

/** Writes each outcome at once: an interrupted run keeps what it saw. */
class Outcomes {
	onDryRunCompleted({ result: { tests } }: { result: { tests: Test[] } }): void {
		writeFileSync(job.times, JSON.stringify(Object.fromEntries(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]))));
	}

	onMutantTested(mutant: Mutant): void {
		const [file, key] = [fileOf(mutant), keyOf(mutant, 1)];
		const { status = "", statusReason = "", testsCompleted = 0, killedBy = [] } = mutant;
		const isLeftOut = status === "Ignored" && !statusReason.startsWith("Static");
		if (isLeftOut || !asked(nameOf(file, key))) return;
		const by = status === "Killed" ? `${killedBy.join(", ")}: ${statusReason}`.split("\n", 1)[0]?.slice(0, 300) : "";
		const logged: Logged = { file, key, status, by: by ?? "", tests: testsCompleted };
		appendFileSync(job.log, `${JSON.stringify(logged)}\n`);
	}
}

export const strykerPlugins = [{ kind: "Reporter", name: "outcomes", injectableClass: Outcomes }];
