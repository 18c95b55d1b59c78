/** Node's threads for work that takes long, unless it is told otherwise. */
const NODE_THREADS = 4;

type Surroundings = {
	navigator?: { hardwareConcurrency?: number };
	process?: { env?: Record<string, string | undefined> };
};

/**
 * How many hashes run at the same time: one for each core. But one of Node's threads is left free, because every session
 * check waits for one of them too, which verifies the signature of its cookie; behind hashes alone it would wait for one.
 */
export const defaultConcurrency = ({ navigator, process }: Surroundings = globalThis): number => {
	const threads = Number(process?.env?.UV_THREADPOOL_SIZE) || NODE_THREADS;
	const cores = navigator?.hardwareConcurrency || NODE_THREADS;
	return Math.max(1, Math.min(cores, threads - 1));
};
