import { answerCalls } from "test-kit/processes";
import { type Play, playStore, type StoreResult } from "./run-rights.ts";

/** Plays in a process of its own, with everything that happened if it is traced. */
export type PlayInProcess = (play: Omit<Play, "trace"> & { isTraced?: boolean }) => Promise<Played>;
type Played = StoreResult & { trace: string[] };

const play: PlayInProcess = async ({ isTraced = false, ...given }) => {
	const trace: string[] = [];
	const result = await playStore({ ...given, ...(isTraced ? { trace: (line) => void trace.push(line) } : {}) });
	return { ...result, trace };
};

const calls = { play };
export type StoreCalls = typeof calls;

answerCalls(calls, async () => {});
