/** One request with a wrong response, and how to send it again. */
export type Finding = {
	seed: number;
	index: number;
	endpoint: string;
	wrong: string[];
	answer: string;
	/** the application's output around that time */
	logged: string;
	command: string;
};

export type InputResult = {
	requests: number;
	seed: number;
	endpoints: number;
	/** responses by status; 0: the connection was closed, or the server still waited for the rest */
	statuses: Record<string, number>;
	perSecond: number;
	slowestMilliseconds: number;
	medianMilliseconds: number;
	/** unhandled errors in the application's process */
	unhandled: string[];
	/** names that appeared on built-in prototypes */
	prototypes: string[];
	/** the first findings; `found` counts all */
	findings: Finding[];
	found: number;
	passed: boolean;
};

/** More findings of the same kind add nothing. */
const MOST_FINDINGS = 100;

export type Tally = ReturnType<typeof createTally>;

/** Counts the results of a run. */
export const createTally = (seed: number, log: (line: string) => void) => {
	const statuses: Record<string, number> = {};
	const times: number[] = [];
	const findings: Finding[] = [];
	const unhandled: string[] = [];
	const prototypes: string[] = [];
	let endpoints = 0;
	let found = 0;
	let logged = performance.now();
	const started = logged;
	const rate = (): number => Math.round((times.length / (performance.now() - started)) * 1_000);
	return {
		seed,
		sees: (count: number): void => {
			endpoints = count;
		},
		count: (status: number, milliseconds: number): void => {
			statuses[status] = (statuses[status] ?? 0) + 1;
			times.push(milliseconds);
			if (performance.now() - logged < 5_000) return;
			logged = performance.now();
			log(`bad input: ${times.length} requests, ${rate()}/s, ${found} findings`);
		},
		found: (finding: Omit<Finding, "seed">): void => {
			found += 1;
			if (findings.length >= MOST_FINDINGS) return;
			findings.push({ seed, ...finding });
			const { endpoint, wrong, index, command, answer } = finding;
			log(
				`bad input: ${endpoint}: ${wrong.join("; ")}; again with seed ${seed}, only ${index}\n  ${command}\n  ${answer.slice(0, 300)}`,
			);
		},
		asked: (uncaught: string[], names: string[]): void => {
			unhandled.push(...uncaught);
			prototypes.push(...names);
			for (const one of uncaught.slice(0, 5)) log(`bad input: unhandled ${one}`);
			if (names.length > 0) log(`bad input: prototypes changed: ${names.join(", ")}`);
		},
		result: (): InputResult => {
			const sorted = times.toSorted((one, other) => one - other);
			return {
				requests: times.length,
				seed,
				endpoints,
				statuses,
				perSecond: rate(),
				slowestMilliseconds: Math.round(sorted.at(-1) ?? 0),
				medianMilliseconds: Math.round(sorted[sorted.length >> 1] ?? 0),
				unhandled,
				prototypes,
				findings,
				found,
				passed: found === 0 && unhandled.length === 0 && prototypes.length === 0,
			};
		},
	};
};
