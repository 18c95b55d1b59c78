/** Why somebody gets no turn: the group's queue is full, or it took too long. */
export type NoTurn = "full" | "late";

export type FairTurnsOptions = {
	/** how much runs at the same time */
	atOnce: number;
	/** how many of one group may wait; the next one is turned away */
	waitingPerGroup: number;
	/** milliseconds that one may wait */
	maxWait: number;
};

type Waiter = { group: string; start: () => void };

/**
 * Takes turns between groups: while several wait, each group gets every n-th turn, however many of its own it sends. So a
 * group under load waits for itself and not the others for it.
 */
export const createFairTurns = ({ atOnce, waitingPerGroup, maxWait }: FairTurnsOptions) => {
	/** groups in the order of their next turn; each has at least one waiter */
	const queues = new Map<string, Waiter[]>();
	let running = 0;

	const next = (): void => {
		if (running >= atOnce) return;
		const first = queues.entries().next();
		if (first.done) return;
		const [group, waiters] = first.value;
		const waiter = waiters.shift();
		// to the end of the line, if it has more
		queues.delete(group);
		if (waiters.length > 0) queues.set(group, waiters);
		waiter?.start();
	};

	const waitForTurn = (group: string): Promise<NoTurn | null> =>
		new Promise((resolve) => {
			const waiters = queues.get(group) ?? [];
			if (waiters.length >= waitingPerGroup) return resolve("full");
			const waiter: Waiter = {
				group,
				start: () => {
					clearTimeout(timer);
					running++;
					resolve(null);
				},
			};
			const timer = setTimeout(() => {
				const at = waiters.indexOf(waiter);
				if (at >= 0) waiters.splice(at, 1);
				if (waiters.length === 0 && queues.get(group) === waiters) queues.delete(group);
				resolve("late");
			}, maxWait);
			waiters.push(waiter);
			queues.set(group, waiters);
		});

	/** Does the work when the group has its turn, or says why it has none. */
	return async <Result>(
		group: string,
		work: () => Promise<Result>,
	): Promise<{ result: Result } | { noTurn: NoTurn }> => {
		if (running < atOnce && queues.size === 0) running++;
		else {
			const noTurn = await waitForTurn(group);
			if (noTurn) return { noTurn };
		}
		try {
			return { result: await work() };
		} finally {
			running--;
			next();
		}
	};
};
