import { withinTime } from "./within-time.ts";

/** Milliseconds for which nothing is asked of a server that failed. */
const REST = 1_000;

type With = {
	/** milliseconds that a call may take */
	patience: number;
	/** a clock that is never set */
	now?: () => number;
};

export type Breaker = ReturnType<typeof createBreaker>;

/**
 * Calls a server that everybody can do without. After a failure it rests: calls fail at once, so that a server that hangs does not
 * cost every request its patience. Then one call tries it, while the others still go on without.
 */
export const createBreaker = ({ patience, now = () => performance.now() }: With) => {
	let hasFailed = false;
	let restsUntil = Number.NEGATIVE_INFINITY;
	return {
		/** Whether the last call succeeded. */
		isClosed: (): boolean => !hasFailed,
		run: async <Result>(call: () => Promise<Result>): Promise<Result> => {
			if (now() < restsUntil) throw new Error("It failed a moment ago");
			if (hasFailed) restsUntil = now() + patience;
			try {
				const result = await withinTime(call(), patience, () => new Error("It takes too long"));
				hasFailed = false;
				restsUntil = Number.NEGATIVE_INFINITY;
				return result;
			} catch (error) {
				hasFailed = true;
				restsUntil = now() + REST;
				throw error;
			}
		},
	};
};
