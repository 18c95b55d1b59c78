import type { RunningProcess } from "test-kit/processes";
import { type Sample, startOpenLoop } from "../server/open-loop.ts";
import { type Timing, timingOf } from "../server/timing.ts";
import { medianLoad, type ServerLoad } from "../server/watch-load.ts";
import { watchMachine } from "../server/watch-machine.ts";
import { median, quantile, round, type Spread, spreadOf } from "../stage/statistics.ts";
import { type Rates, streamsOf } from "./household-streams.ts";
import type { Noise, NoiseProcess } from "./noise.ts";
import type { Quarter } from "./quarter.ts";

export type Condition = {
	name: string;
	/** how many times its own share the loud tenant sends */
	times: number;
	/** whether the goal applies */
	goal: boolean;
};

/** The others' figures for one kind of request, compared with the first condition. */
type Seen = Timing & {
	/** over all rounds */
	p99Ratio: number;
	/** per round, relative to its idle figure */
	p99RatioByRound: Spread;
};

export type Conditioned = Condition & {
	signIn: Seen;
	session: Seen;
	/** the loud tenant's figures in the last round */
	noise: Noise;
	/** medians of the rounds */
	server: ServerLoad;
	machineBusy: number;
	/** the send delay of this process, which shares the processors with the server */
	lateP99Ms: number;
};

type Timings = { signIn: Timing; session: Timing };
type Round = Timings & { noise: Noise; server: ServerLoad; machineBusy: number };
type SoFar = { condition: Condition; rounds: Round[]; samples: Sample[] };

type Load = { each: Rates; seconds: number; noise: RunningProcess<NoiseProcess> };

/** The same requests of the quiet tenants under each condition, round by round. The first condition is idle. */
export const startRounds = ({ server, client, loud, others }: Quarter, conditions: Condition[], load: Load) => {
	const { each, seconds, noise } = load;
	const streams = others.flatMap((household) => streamsOf(client, household, each));
	const soFar: SoFar[] = conditions.map((condition) => ({ condition, rounds: [], samples: [] }));
	return {
		/** Runs one round and returns a summary. */
		run: async (number: number): Promise<string> => {
			for (const { condition, rounds, samples } of soFar) {
				const rates = { signIn: each.signIn * condition.times, session: each.session * condition.times };
				await server.call("load");
				const readMachine = watchMachine();
				const asked = { origin: server.origin, household: loud, rates, seconds, seed: 1_000 + number };
				const loudness = noise.call("load", asked);
				// the same schedule under each condition
				const some = await startOpenLoop(streams, 1 + number).endAfter(seconds);
				const seen = await server.call("load");
				const machineBusy = readMachine();
				if (!seen) throw new Error("the server was not watched");
				// wait until the server is idle again
				rounds.push({ ...timingsOf(some), noise: await loudness, server: seen, machineBusy });
				samples.push(...some);
			}
			return soFar.map(showLast).join("; ");
		},
		read: (): Conditioned[] => {
			const [idle] = soFar;
			return idle ? soFar.map((one) => summarize(one, idle)) : [];
		},
	};
};

const summarize = ({ condition, rounds, samples }: SoFar, idle: SoFar): Conditioned => {
	const last = rounds.at(-1);
	if (!last) throw new Error("no round");
	const all = timingsOf(samples);
	const allIdle = timingsOf(idle.samples);
	const compare = (kind: keyof Timings): Seen => ({
		...all[kind],
		p99Ratio: round(all[kind].p99Ms / allIdle[kind].p99Ms, 2),
		p99RatioByRound: spreadOf(
			rounds.map((one, index) => one[kind].p99Ms / (idle.rounds[index]?.[kind].p99Ms ?? Number.NaN)),
			2,
		),
	});
	const late = samples.map(({ lateMs }) => lateMs);
	return {
		...condition,
		signIn: compare("signIn"),
		session: compare("session"),
		noise: last.noise,
		server: medianLoad(rounds.map(({ server }) => server)),
		machineBusy: round(median(rounds.map(({ machineBusy }) => machineBusy)), 3),
		lateP99Ms: round(quantile(late, 0.99), 2),
	};
};

const timingsOf = (samples: Sample[]): Timings => ({
	signIn: timingOf(samples.filter(({ stream }) => stream === "sign-in")),
	session: timingOf(samples.filter(({ stream }) => stream === "get-session")),
});

const showLast = ({ condition, rounds }: SoFar): string => {
	const last = rounds.at(-1);
	return `${condition.name}: p99 of sign-in ${last?.signIn.p99Ms} ms, of get-session ${last?.session.p99Ms} ms`;
};
