import { answerCalls } from "test-kit/processes";
import { type Client, openClient, outcomeOf } from "../server/client.ts";
import { startOpenLoop } from "../server/open-loop.ts";
import { countOutcomes, type Timing, timingOf } from "../server/timing.ts";
import type { Household } from "./household.ts";
import { type Rates, signIn, streamsOf } from "./household-streams.ts";

// The loud tenant in a separate process that does not disturb the measurements.

export type Noise = Record<"signIn" | "session", Timing & { outcomes: Record<string, number> }>;
export type Burst = { outcomes: Record<string, number>; seconds: number };

/** More than are ever in flight. */
const CONNECTIONS = 4_096;

const clients = new Map<string, Client>();
const clientOf = (origin: string): Client => {
	const client = clients.get(origin) ?? openClient(origin, { connections: CONNECTIONS });
	clients.set(origin, client);
	return client;
};

const calls = {
	/** Sends at these rates on a fixed schedule, until all responses arrived. */
	load: async (asked: {
		origin: string;
		household: Household;
		rates: Rates;
		seconds: number;
		seed: number;
	}): Promise<Noise> => {
		const streams = streamsOf(clientOf(asked.origin), asked.household, asked.rates);
		const samples = await startOpenLoop(streams, asked.seed).endAfter(asked.seconds);
		const of = (stream: string) => {
			const some = samples.filter((sample) => sample.stream === stream);
			return { ...timingOf(some), outcomes: countOutcomes(some.map(({ outcome }) => outcome)) };
		};
		return { signIn: of("sign-in"), session: of("get-session") };
	},
	/** This many sign-ins at once, each on a new connection. */
	burst: async ({
		origin,
		household: { tenant, people },
		count,
	}: {
		origin: string;
		household: Household;
		count: number;
	}): Promise<Burst> => {
		const client = openClient(origin, { connections: count });
		const began = performance.now();
		const answers = await Promise.all(
			Array.from({ length: count }, (_, number) => signIn(client, tenant, people[number % people.length]?.email ?? "")),
		);
		const seconds = (performance.now() - began) / 1000;
		await client.close();
		return { outcomes: countOutcomes(answers.map(outcomeOf)), seconds };
	},
};
export type NoiseProcess = typeof calls;

answerCalls(calls, async () => {
	for (const client of clients.values()) await client.close();
});
