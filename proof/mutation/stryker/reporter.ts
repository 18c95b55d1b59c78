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

/** What Stryker saw of a mutant. The last of a file says so. */
export type Logged = {
	file: string;
	/** null if this one was not asked for */
	seen: {
		key: string;
		status: string;
		/** the test that failed, with the first line of its error */
		by: string;
		tests: number;
	} | null;
	isLast: boolean;
};

const job = readJob();
const asked = isAsked(job);

/** Writes each outcome at once: an interrupted run keeps what it saw. */
class Outcomes {
	readonly #waiting = new Map<string, number>();

	onMutationTestingPlanReady({ mutantPlans }: { mutantPlans: { mutant: Mutant }[] }): void {
		for (const { mutant } of mutantPlans)
			this.#waiting.set(fileOf(mutant), (this.#waiting.get(fileOf(mutant)) ?? 0) + 1);
	}

	onDryRunCompleted({ result: { tests } }: { result: { tests: Test[] } }): void {
		writeFileSync(job.times, JSON.stringify(Object.fromEntries(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]))));
	}

	onMutantTested(mutant: Mutant): void {
		const [file, key] = [fileOf(mutant), keyOf(mutant, 1)];
		const { status = "", statusReason = "", testsCompleted = 0, killedBy = [] } = mutant;
		const waiting = (this.#waiting.get(file) ?? 0) - 1;
		this.#waiting.set(file, waiting);
		const isLeftOut = status === "Ignored" && !statusReason.startsWith("Static");
		const isSeen = !isLeftOut && asked(nameOf(file, key));
		if (!isSeen && waiting > 0) return;
		const by = status === "Killed" ? `${killedBy.join(", ")}: ${statusReason}`.split("\n", 1)[0]?.slice(0, 300) : "";
		const seen = isSeen ? { key, status, by: by ?? "", tests: testsCompleted } : null;
		const logged: Logged = { file, seen, isLast: waiting === 0 };
		appendFileSync(job.log, `${JSON.stringify(logged)}\n`);
	}
}

export const strykerPlugins = [{ kind: "Reporter", name: "outcomes", injectableClass: Outcomes }];
