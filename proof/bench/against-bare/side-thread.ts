import { workerData } from "node:worker_threads";
import { expose, type ProxyMarked } from "comlink";
import { type Authorize, FLOWS, type Person } from "./flows.ts";
import { type Servers, type Setting, type SideName, startSide } from "./sides.ts";

// One side in a thread with its own heap: in a shared heap, each side would collect the other's garbage.

const PEOPLE = 50;

const start = async (name: SideName, setting: Setting, servers: Servers, authorize: Authorize) => {
	const started = await startSide(name, setting, servers);
	const { engine, tenantOf } = started;
	const people: Person[] = [];
	for (let number = 0; number < PEOPLE; number += 1) {
		const email = `person-${number}@example.com`;
		const tenant = tenantOf(number);
		people.push({ email, tenant, cookie: await engine.signUp(email, tenant) });
	}
	const flows = new Map(FLOWS.map(({ name, side }) => [name, side(started, { people, authorize })]));
	return { flows, engine, close: started.close };
};

let running: Awaited<ReturnType<typeof start>> | null = null;

const side = (flow: string) => {
	const found = running?.flows.get(flow);
	if (!running || !found) throw new Error(`${flow} was not started`);
	return { ...found, engine: running.engine };
};

const calls = {
	start: async (
		name: SideName,
		setting: Setting,
		servers: Servers,
		authorize: Authorize & ProxyMarked,
	): Promise<void> => {
		running = await start(name, setting, servers, authorize);
	},
	/** Unmeasured preparation of requests. */
	prepare: async (flow: string, first: number, count: number): Promise<void> => side(flow).prepare?.(first, count),
	/** Sends requests, several at once, and returns their durations in milliseconds. */
	volley: async (flow: string, first: number, count: number, parallel: number): Promise<number> => {
		const { act } = side(flow);
		let next = first;
		const began = performance.now();
		await Promise.all(
			Array.from({ length: parallel }, async () => {
				while (next < first + count) await act(next++);
			}),
		);
		return performance.now() - began;
	},
	/** The statements of one request. */
	countStatements: async (flow: string, number: number): Promise<number> => {
		const { act, engine } = side(flow);
		const before = engine.sent.statements;
		await act(number);
		return engine.sent.statements - before;
	},
	close: async (): Promise<void> => running?.close(),
};

export type SideThread = typeof calls;

expose(calls, (workerData as { port: MessagePort }).port);
