import type { PoolRunnerInitializer } from "vitest/node";
import { ForksPoolWorker } from "vitest/node";

type Message = Parameters<ForksPoolWorker["send"]>[0];
type Listener = (message: unknown) => void;

/** A process grows with each run: the caches of the package keep worlds for a while. */
const MOST_RUNS = 200;
const NAME = "kept";

/**
 * A worker that outlives a run. Vitest ends its workers after each run, and Stryker runs vitest once for each mutant: loading the engine would
 * take longer than most tests.
 */
class KeptWorker extends ForksPoolWorker {
	override name = NAME;
	#listeners: ["message" | "error" | "exit", Listener][] = [];
	#isAlive = false;
	#runs = 0;
	isRetired = false;

	override on(event: string, listener: Listener): void {
		this.#listeners.push([event as "message", listener]);
		super.on(event, listener);
	}

	override async start(): Promise<void> {
		this.#runs += 1;
		if (this.#isAlive) return;
		await super.start();
		this.#isAlive = true;
		super.on("exit", () => {
			this.#isAlive = false;
			this.isRetired = true;
		});
	}

	override send(message: Message): void {
		const isLast = !this.#isAlive || this.isRetired || this.#runs >= MOST_RUNS;
		if (message.type !== "stop" || isLast) {
			if (message.type === "stop") this.isRetired = true;
			super.send(message);
			return;
		}
		const stopped = { type: "stopped", __vitest_worker_response__: true };
		queueMicrotask(() => {
			for (const [event, listener] of [...this.#listeners]) if (event === "message") listener(stopped);
		});
	}

	override async stop(): Promise<void> {
		for (const [event, listener] of this.#listeners.splice(0)) super.off(event, listener);
		if (this.isRetired && this.#isAlive) await super.stop();
	}
}

// the test runner and the configuration of vitest may load this file separately
const shared = globalThis as { keptWorker?: KeptWorker };

/** The next run begins in a new process. */
export const retireWorker = (): void => {
	if (shared.keptWorker) shared.keptWorker.isRetired = true;
};

export const keptWorkers: PoolRunnerInitializer = {
	name: NAME,
	createPoolWorker: (options) => {
		if (!shared.keptWorker || shared.keptWorker.isRetired) {
			const before = shared.keptWorker;
			shared.keptWorker = new KeptWorker(options);
			void before?.stop();
		}
		return shared.keptWorker;
	},
};
