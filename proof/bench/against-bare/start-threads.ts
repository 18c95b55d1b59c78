import { MessageChannel, Worker } from "node:worker_threads";
import { type Endpoint, type Remote, wrap } from "comlink";
import type { Servers, Setting } from "../stage/sides.ts";
import { SIDES, type SideName } from "./side-names.ts";
import type { SideThread } from "./side-thread.ts";

export type Threads = Awaited<ReturnType<typeof startThreads>>;

/** Starts and fills all sides, each in a thread of this process. */
export const startThreads = async (setting: Setting, servers: Servers) => {
	const started = SIDES.map((name) => ({ name, ...startThread() }));
	const sides = Object.fromEntries(started.map(({ name, side }) => [name, side])) as Record<
		SideName,
		Remote<SideThread>
	>;
	for (const { name, side, failed } of started)
		await Promise.race([
			side.start({ name, kind: name, handler: name === "tenants" ? "tenant" : "engine", setting, servers }),
			failed,
		]);
	return {
		sides,
		close: async (): Promise<void> => {
			for (const { side, worker } of started) {
				await side.close();
				await worker.terminate();
			}
		},
	};
};

const startThread = () => {
	const { port1, port2 } = new MessageChannel();
	const worker = new Worker(new URL("./side-thread.ts", import.meta.url), {
		workerData: { port: port2 },
		transferList: [port2],
	});
	const failed = new Promise<never>((_, reject) => worker.once("error", reject));
	// an exit during the start rejects; later, calls fail
	failed.catch(() => undefined);
	// one object, typed once for browsers and once for Node
	const port = port1 as unknown as Endpoint;
	return { worker, failed, side: wrap<SideThread>(port) };
};
