import { setTimeout as wait } from "node:timers/promises";
import { type Seeded, seeded } from "test-kit/load/seeded";
import { type Answer, outcomeOf } from "./client.ts";

/** Requests of one kind that come by chance, so many a second on the average. */
export type Stream = {
	name: string;
	perSecond: number;
	/** not by chance but one after the other, as a probe does */
	evenly?: boolean;
	send: (number: number) => Promise<Answer>;
	/** whether the answer is the one that was asked for */
	isRight: (answer: Answer) => boolean;
};

export type Sample = {
	stream: string;
	/** when it was due and when it was answered, of this process's clock */
	due: number;
	answered: number;
	/** from when it was due until the answer was there */
	ms: number;
	/** by how much this process sent it too late */
	lateMs: number;
	right: boolean;
	outcome: string;
};

/** Timers fire on whole milliseconds; that is no waiting. */
const TIMER_GRAIN_MS = 1.1;

/**
 * Sends by the clock and waits for no answer: where answers are slow, the next requests come nevertheless, as people do,
 * and their waiting is counted. A seed repeats when which request is due.
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
		/** Until so many seconds after its beginning, and until all of it is answered. */
		endAfter: async (seconds: number): Promise<Sample[]> => {
			endsAt = began + seconds * 1000;
			await Promise.all(running);
			await Promise.all(underWay);
			return samples;
		},
		/** At once, but for the answers that are still to come. */
		end: async (): Promise<Sample[]> => {
			ended = true;
			await Promise.all(running);
			await Promise.all(underWay);
			return samples;
		},
	};
};

/** How long it may take to notice that it has ended. */
const LONGEST_NAP_MS = 100;
