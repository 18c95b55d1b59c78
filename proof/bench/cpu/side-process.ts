import { Session } from "node:inspector/promises";
import { answerCalls } from "test-kit/processes";
import { type RunningSide, runSide } from "../stage/run-side.ts";
import { type Requests, send } from "../stage/send.ts";
import type { SideSettings } from "../stage/sides.ts";
import { measureAllocated } from "./allocated-bytes.ts";
import { type ReadProfile, readProfile } from "./read-profile.ts";
import type { Spent } from "./undisturbed.ts";

// One side in its own process: the CPU time of a process, its heap and its compiled code belong to that side only.

/** Microseconds between samples. */
const SAMPLING_US = 100;

let started: RunningSide | null = null;

export type Sent = Requests & { flow: string };

/** Prepares requests without measuring, and returns what sends them. */
const prepared = async ({ flow, ...requests }: Sent): Promise<() => Promise<void>> => {
	if (!started) throw new Error("start it first");
	const { act, prepare } = started.flow(flow);
	await prepare?.(requests.first, requests.count);
	return () => send(act, requests);
};

const calls = {
	start: async (settings: SideSettings): Promise<void> => {
		started = await runSide(settings);
	},
	/** The CPU time of requests. */
	spend: async (sent: Sent): Promise<Spent> => {
		const sendAll = await prepared(sent);
		const [all, main] = [process.cpuUsage(), process.threadCpuUsage()];
		await sendAll();
		const [thread, whole] = [process.threadCpuUsage(main), process.cpuUsage(all)];
		return { process: whole.user + whole.system, thread: thread.user + thread.system };
	},
	/** The bytes that a request allocates on the heap; null if they could not be counted. */
	allocate: async (sent: Sent): Promise<number | null> => {
		const bytes = await measureAllocated(await prepared(sent));
		return bytes === null ? null : bytes / sent.count;
	},
	/** Whose code the main thread runs. */
	profile: async (sent: Sent): Promise<ReadProfile> => {
		const sendAll = await prepared(sent);
		const session = new Session();
		session.connect();
		try {
			await session.post("Profiler.enable");
			await session.post("Profiler.setSamplingInterval", { interval: SAMPLING_US });
			await session.post("Profiler.start");
			await sendAll();
			const { profile } = await session.post("Profiler.stop");
			return readProfile(profile);
		} finally {
			session.disconnect();
		}
	},
};

export type SideProcess = typeof calls;

answerCalls(calls, async () => started?.close());
