import { setTimeout as wait } from "node:timers/promises";
import { type Rates, streamsOf } from "../neighbors/household-streams.ts";
import { type Sample, startOpenLoop } from "../server/open-loop.ts";
import type { ServerLoad } from "../server/watch-load.ts";
import { round } from "../stage/statistics.ts";
import { countedSamples } from "./others.ts";
import type { Stage } from "./stage.ts";
import { type Memory, watchMemory } from "./watch-memory.ts";

export type MeasuredStep = {
	/** of the work itself */
	seconds: number;
	memory: Memory;
	server: ServerLoad;
	/** of the other tenant during the work */
	samples: Sample[];
};

/** The other tenant's requests per second. */
export const OTHERS: Rates = { signIn: 10, session: 40 };

/** The other tenant's requests have the same schedule in every step. */
const SEED = 1;

/** Runs the work while the other tenant's users continue and the server's memory is watched. */
export const measureStep = async (
	{ server, client, neighbor }: Stage,
	{ memoryEveryMs, work }: { memoryEveryMs: number; work: () => Promise<unknown> },
): Promise<MeasuredStep> => {
	await server.call("load");
	const neighbors = startOpenLoop(streamsOf(client, neighbor, OTHERS), SEED);
	const endMemory = watchMemory(server, memoryEveryMs);
	try {
		const began = performance.now();
		await work();
		const seconds = round((performance.now() - began) / 1000, 2);
		const load = await server.call("load");
		if (!load) throw new Error("the server was not watched");
		const { memory, pauses } = await endMemory();
		return { seconds, memory, server: load, samples: countedSamples(await neighbors.end(), pauses) };
	} finally {
		await neighbors.end();
	}
};

/** Only the other tenant. */
export const measureIdle = (stage: Stage, { seconds, memoryEveryMs }: { seconds: number; memoryEveryMs: number }) =>
	measureStep(stage, { memoryEveryMs, work: () => wait(seconds * 1000) });
