/** The default size of Node's thread pool. */
const NODE_THREADS = 4;

type Surroundings = {
	navigator?: { hardwareConcurrency?: number };
	process?: { env?: Record<string, string | undefined> };
};

/**
 * The default of `hashing.concurrency`: one hash per core, but one of Node's threads stays free. Every session check needs a
 * thread to verify the signature of its cookie, and would otherwise wait for a hash.
 */
export const defaultConcurrency = ({ navigator, process }: Surroundings = globalThis): number => {
	const threads = Number(process?.env?.UV_THREADPOOL_SIZE) || NODE_THREADS;
	const cores = navigator?.hardwareConcurrency || NODE_THREADS;
	return Math.max(1, Math.min(cores, threads - 1));
};
