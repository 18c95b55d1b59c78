import { PerformanceObserver } from "node:perf_hooks";
import { setImmediate as turn } from "node:timers/promises";

/**
 * V8's options for a process whose allocations are measured. The growth of the heap is exactly what was allocated, as
 * long as nothing is collected meanwhile, so the young generation gets room for all requests of a measurement. V8's own
 * counter (`total_allocated_bytes`) needs no such room, but counts whole buffers of 256 KB. Optimized code allocates less, and when
 * V8 optimizes depends on the machine and its load: without it, every measurement repeats within about a percent. Nor do other threads of V8
 * take part: on a busy machine they free memory in the middle of a measurement, 1 in 50.
 */
export const FLAGS = [
	"--expose-gc",
	"--min-semi-space-size=64",
	"--max-semi-space-size=64",
	"--no-flush-bytecode",
	"--no-opt",
	"--no-maglev",
	"--single-threaded",
];

/** The bytes that something allocates on the heap, or null if garbage was collected meanwhile. Buffers are not on it. */
export const measureAllocated = async (act: () => Promise<void>): Promise<number | null> => {
	if (!globalThis.gc) throw new Error("start Node with --expose-gc");
	// The heap shrinks until all of it is swept. The second collection leaves nothing to sweep.
	globalThis.gc();
	globalThis.gc();
	await collectionsAreReported();
	let isCollected = false;
	const collections = new PerformanceObserver(() => {
		isCollected = true;
	});
	collections.observe({ entryTypes: ["gc"] });
	try {
		const before = process.memoryUsage().heapUsed;
		await act();
		const bytes = process.memoryUsage().heapUsed - before;
		await collectionsAreReported();
		return isCollected ? null : bytes;
	} finally {
		collections.disconnect();
	}
};

/** Node reports a collection in a later turn of the event loop. */
const collectionsAreReported = async (): Promise<void> => {
	for (let turns = 0; turns < 3; turns += 1) await turn();
};
