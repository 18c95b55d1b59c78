import { setTimeout as wait } from "node:timers/promises";
import { createDatabase } from "test-kit/run-database";
import type { AppSettings } from "../app/settings.ts";
import { OWN_SOURCE, startApp } from "../app/start-app.ts";
import { type Answer, type Client, createClient } from "./client.ts";
import { type Ask, type Comparison, prepareComparisons } from "./comparisons.ts";
import { mannWhitney, medianOf } from "./mann-whitney.ts";

/** Two requests, and whether their responses can be told apart. Times in milliseconds. */
type Pair = {
	comparison: string;
	hashing: AppSettings["hashing"];
	left: string;
	right: string;
	samples: number;
	medianLeft: number;
	medianRight: number;
	difference: number;
	/** from the Mann-Whitney test; small means that the difference is not due to chance */
	p: number;
	/** status, body without ids, dates and request values, and the header names */
	sameAnswers: boolean;
	/** why they differ on purpose */
	differs: string | null;
	/** how often the measurement was repeated after a failure */
	attempt: number;
	passed: boolean;
};

export type TimingResult = { samples: number; boundMilliseconds: number; pairs: Pair[]; passed: boolean };

export type TimingOptions = {
	samples?: number;
	/** with the engine's own hash, which takes 100 ms, for requests that hash. 0: none */
	scryptSamples?: number;
	/** on a busy machine, a measurement may be repeated before it counts as failed */
	attempts?: number;
	/** only these comparisons, by name */
	only?: string[];
	source?: string;
	log?: (line: string) => void;
};

const BOUND = 5;
/** If chance alone explains a difference this often, it reveals nothing. */
const CHANCE = 0.001;
const WARM_UP = 20;
/**
 * Requests that depend on a password hash. Elsewhere a cheap hash shows differences better, because scrypt's noise
 * hides them.
 */
const HASHED = new Set(["sign-in", "sign-up"]);

/** Sends pairs of requests in turn and compares the times and the responses. */
export const runTiming = async ({
	samples = 2_000,
	scryptSamples = samples,
	attempts = 1,
	only = [],
	source = OWN_SOURCE,
	log = (line) => console.error(line),
}: TimingOptions = {}): Promise<TimingResult> => {
	const pairs: Pair[] = [];
	for (const [hashing, count] of [
		["cheap", samples],
		["scrypt", scryptSamples],
	] as const) {
		if (count > 0) pairs.push(...(await runWith({ hashing, samples: count, attempts, only, source, log })));
	}
	return { samples, boundMilliseconds: BOUND, pairs, passed: pairs.every(({ passed }) => passed) };
};

type Run = Required<Omit<TimingOptions, "scryptSamples">> & { hashing: AppSettings["hashing"] };

const runWith = async ({ hashing, samples, attempts, only, source, log }: Run): Promise<Pair[]> => {
	const database = await createDatabase();
	try {
		const app = await startApp({ databaseURL: database.url, source, hashing, requireEmailVerification: true });
		const client = createClient(app.origin);
		try {
			const all = await prepareComparisons(client, database, (samples + WARM_UP) * attempts);
			const pairs: Pair[] = [];
			const isAsked = ({ name }: Comparison): boolean =>
				(hashing === "cheap" || HASHED.has(name)) && (only.length === 0 || only.includes(name));
			for (const comparison of all.filter(isAsked)) {
				let compared: Pair[] = [];
				for (let attempt = 1; attempt <= attempts; attempt += 1) {
					compared = await compare(client, comparison, { samples, hashing, attempt, log });
					if (compared.every(({ passed }) => passed)) break;
					// disturbances of a machine last for a while
					if (attempt < attempts) await wait(attempt * 2_000);
				}
				for (const pair of compared) log(describePair(pair));
				pairs.push(...compared);
			}
			return pairs;
		} finally {
			await client.close();
			await app.stop();
		}
	} finally {
		await database.drop();
	}
};

type Measured = { times: number[]; seen: Set<string> };
type How = { samples: number; hashing: AppSettings["hashing"]; attempt: number; log: (line: string) => void };

/** Requests with the same half-second delay are sent together, this many at once of each. */
const AT_ONCE = { cheap: 8, scrypt: 1 };
/**
 * Milliseconds between them: their delays overlap but their work does not, or it would take longer than the delay that
 * hides it.
 */
const APART = 25;

/** In turn, in another order each round, so that a slow machine affects all of them. */
const compare = async (
	client: Client,
	{ name, asks, differs, waits = false }: Comparison,
	how: How,
): Promise<Pair[]> => {
	const measured = new Map(Object.keys(asks).map((ask): [string, Measured] => [ask, { times: [], seen: new Set() }]));
	const entries = Object.entries(asks);
	const askOne = async ([ask, make]: [string, Ask], n: number): Promise<void> => {
		const asked = make(n + WARM_UP);
		const answer = await client.ask(asked);
		const known = measured.get(ask);
		if (n < 0 || !known) return;
		known.times.push(answer.milliseconds);
		known.seen.add(withoutWhatVaries(answer, asked));
	};
	const step = waits ? AT_ONCE[how.hashing] : 1;
	let logged = performance.now();
	for (let n = -WARM_UP; n < how.samples; n += step) {
		const turn = Math.abs(n) % entries.length;
		const ordered = [...entries.slice(turn), ...entries.slice(0, turn)];
		const numbers = Array.from({ length: Math.min(step, how.samples - n) }, (_, at) => n + at);
		const asked = numbers.flatMap((number) => ordered.map((entry) => () => askOne(entry, number)));
		if (waits) await Promise.all(asked.map((ask, at) => wait(at * APART).then(ask)));
		else for (const ask of asked) await ask();
		if (performance.now() - logged > 8_000) {
			logged = performance.now();
			how.log(`timing: ${name} (${how.hashing}), ${Math.max(n, 0)} of ${how.samples}`);
		}
	}
	const [right = "", reference] = [...measured].at(-1) ?? [];
	return [...measured].slice(0, -1).map(([left, { times, seen }]) => {
		const others = reference?.times ?? [];
		const [medianLeft, medianRight] = [medianOf(times), medianOf(others)];
		const difference = medianLeft - medianRight;
		const { p } = mannWhitney(times, others);
		const tells = Math.abs(difference) >= BOUND && p < CHANCE;
		const sameAnswers = new Set([...seen, ...(reference?.seen ?? [])]).size === 1;
		return {
			comparison: name,
			hashing: how.hashing,
			left,
			right,
			samples: times.length,
			medianLeft: rounded(medianLeft),
			medianRight: rounded(medianRight),
			difference: rounded(difference),
			p,
			sameAnswers,
			differs: differs ?? null,
			attempt: how.attempt,
			passed: differs !== undefined || (sameAnswers && !tells),
		};
	});
};

/** What differs between two users with the same request: ids, dates, and their own values. */
const withoutWhatVaries = (
	{ status, text, headers }: Answer,
	{ path, body = {} }: { path: string; body?: object },
): string => {
	const sent = [...Object.values(body), ...path.split("=")].filter(
		(value) => typeof value === "string" && value.length > 3,
	);
	const plain = sent.reduce<string>((left, value) => left.replaceAll(JSON.stringify(value).slice(1, -1), "·"), text);
	return `${status} ${headers.join(",")} ${plain
		.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "date")
		.replace(/"[A-Za-z0-9]{32}"/g, '"id"')}`;
};

const rounded = (milliseconds: number): number => Math.round(milliseconds * 1_000) / 1_000;

const describePair = (pair: Pair): string => {
	const p = pair.p < 0.001 ? pair.p.toExponential(1) : pair.p.toFixed(3);
	const answers = pair.differs ? "differ by design" : pair.sameAnswers ? "same" : "DIFFER";
	return [
		pair.passed ? "ok  " : "FAIL",
		`${pair.comparison} (${pair.hashing}):`.padEnd(46),
		`${pair.left} / ${pair.right}`.padEnd(46),
		`${pair.medianLeft.toFixed(2)} / ${pair.medianRight.toFixed(2)} ms, ${pair.difference.toFixed(2)} ms apart,`,
		`p ${p}, answers ${answers}${pair.attempt > 1 ? `, attempt ${pair.attempt}` : ""}`,
	].join(" ");
};
