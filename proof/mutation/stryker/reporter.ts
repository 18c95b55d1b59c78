import { appendFileSync, writeFileSync } from "node:fs";
import { isAsked, keyOf, type Place, readJob } from "./job.ts";

type Mutant = {
	fileName: string;
	location: { start: Place; end: Place };
	mutatorName: string;
	replacement?: string;
	status?: string;
	statusReason?: string;
	testsCompleted?: number;
	killedBy?: string[];
	coveredBy?: string[];
};
type Test = { id: string; name: string; timeSpentMs: number };

/** What Stryker saw of a mutant. */
export type Logged = {
	file: string;
	key: string;
	status: string;
	reason: string;
	tests: number;
	/** ids of the tests that reach it, if only the reach was asked for */
	reachedBy: string[];
};

const job = readJob();
const asked = isAsked(job);

/** Writes each outcome at once: an interrupted run keeps what it saw. */
class Outcomes {
	onDryRunCompleted({ result: { tests } }: { result: { tests: Test[] } }): void {
		writeFileSync(job.times, JSON.stringify(Object.fromEntries(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]))));
	}

	onMutantTested(mutant: Mutant): void {
		const key = keyOf(mutant, 1);
		if (!asked(key)) return;
		const { fileName, status = "", statusReason = "", testsCompleted = 0, killedBy = [], coveredBy = [] } = mutant;
		const logged: Logged = {
			file: fileName,
			key,
			status,
			reason:
				status === "Killed" ? (`${killedBy.join(", ")}: ${statusReason}`.split("\n", 1)[0]?.slice(0, 300) ?? "") : "",
			tests: testsCompleted,
			reachedBy: job.reachOnly ? coveredBy : [],
		};
		appendFileSync(job.log, `${JSON.stringify(logged)}\n`);
	}
}

export const strykerPlugins = [{ kind: "Reporter", name: "outcomes", injectableClass: Outcomes }];
