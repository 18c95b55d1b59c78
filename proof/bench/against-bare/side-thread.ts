import { workerData } from "node:worker_threads";
import { expose } from "comlink";
import { type RunningSide, runSide } from "../stage/run-side.ts";
import { type Requests, send } from "../stage/send.ts";
import type { SideSettings } from "../stage/sides.ts";

// One side in a thread with its own heap: in a shared heap, each side would collect the other's garbage.

let started: RunningSide | null = null;
const running = (): RunningSide => {
	if (!started) throw new Error("start it first");
	return started;
};

const calls = {
	start: async (settings: SideSettings): Promise<void> => {
		started = await runSide(settings);
	},
	/** Unmeasured preparation of requests. */
	prepare: async (flow: string, first: number, count: number): Promise<void> =>
		running().flow(flow).prepare?.(first, count),
	/** Sends requests, and returns their duration in milliseconds. */
	volley: async (flow: string, requests: Requests): Promise<number> => {
		const { act } = running().flow(flow);
		const began = performance.now();
		await send(act, requests);
		return performance.now() - began;
	},
	/** The statements of one request. */
	countStatements: async (flow: string, number: number): Promise<number> => {
		const { engine, flow: flowOf } = running();
		const before = engine.sent.statements;
		await flowOf(flow).act(number);
		return engine.sent.statements - before;
	},
	close: async (): Promise<void> => started?.close(),
};

export type SideThread = typeof calls;

expose(calls, (workerData as { port: MessagePort }).port);
