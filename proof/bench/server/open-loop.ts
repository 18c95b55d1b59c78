import { setTimeout as wait } from "node:timers/promises";
import { type Seeded, seeded } from "test-kit/load/seeded";
import { type Answer, outcomeOf } from "./client.ts";

/** Requests of one kind at random times, with this average rate per second. */
export type Stream = {
	name: string;
	perSecond: number;
	/** at regular intervals instead, like a probe */
	evenly?: boolean;
	send: (number: number) => Promise<Answer>;
	/** whether the response is the expected one */
	isRight: (answer: Answer) => boolean;
};

export type Sample = {
	stream: string;
	/** when it was due and when the response arrived, by this process's clock */
	due: number;
	answered: number;
	/** from when it was due until the response */
	ms: number;
	/** the send delay of this process */
	lateMs: number;
	right: boolean;
	outcome: string;
};

/** Timers fire on whole milliseconds, which does not count as a delay. */
const TIMER_GRAIN_MS = 1.1;

/**
 * Sends on a schedule without waiting for responses: if responses are slow, requests keep coming, like real users, and
 * their waiting counts. A seed determines the schedule.
 */
export const startOpenLoop = (streams: Stream[], seed: number) => {
	const began = performance.now();
	const samples: Sample[] = [];
	const underWay = new Set<Promise<void>>();
	let ended = false;
	let endsAt = Number.POSITIVE_INFINITY;

	const send = async (stream: Stream, number: number, due: number): Promise<void> => {
		const sent = performance.now();
		const answer = await stream.send(number);
		const answered = performance.now();
		samples.push({
			stream: stream.name,
			due,
			answered,
			ms: answered - Math.min(sent, due + TIMER_GRAIN_MS),
			lateMs: sent - due,
			right: stream.isRight(answer),
			outcome: outcomeOf(answer),
		});
	};
	const run = async (stream: Stream, chance: Seeded): Promise<void> => {
		let due = began;
		for (let number = 0; ; number += 1) {
			due += ((stream.evenly ? 1 : -Math.log(1 - chance.fraction())) / stream.perSecond) * 1000;
			while (!ended && performance.now() < Math.min(due, endsAt))
				await wait(Math.min(Math.max(due - performance.now(), 0), LONGEST_NAP_MS));
			if (ended || due >= endsAt) return;
			const request = send(stream, number, due).finally(() => underWay.delete(request));
			underWay.add(request);
		}
	};
	const running = streams.map((stream, index) => run(stream, seeded(seed * 1_000 + index)));

	return {
		/** Waits until this many seconds after the start, and until all responses arrived. */
		endAfter: async (seconds: number): Promise<Sample[]> => {
			endsAt = began + seconds * 1000;
			await Promise.all(running);
			await Promise.all(underWay);
			return samples;
		},
		/** Stops immediately, except for pending responses. */
		end: async (): Promise<Sample[]> => {
			ended = true;
			await Promise.all(running);
			await Promise.all(underWay);
			return samples;
		},
	};
};

/** The maximum delay to notice the end. */
const LONGEST_NAP_MS = 100;
