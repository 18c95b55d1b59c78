/** Why somebody gets no turn: the group's queue is full, or it took too long. */
export type NoTurn = "full" | "late";

export type FairTurnsOptions = {
	/** how much runs at the same time */
	concurrency: number;
	/** how many of one group may wait; the next one is turned away */
	maxQueuePerGroup: number;
	/** milliseconds that one may wait */
	maxWait: number;
};

type Waiter = { group: string; start: () => void };

/** A place in the line, kept for somebody who is still on the way to it. */
export type Place = { group: string; until: number };

/** Milliseconds that a place is kept for: who does not come, and does not say so, has none any more. */
const PLACE_KEPT_FOR = 2_000;

/**
 * Takes turns between groups: while several wait, each group gets every n-th turn, however many of its own it sends. So a
 * group under load waits for itself and not the others for it.
 */
export const createFairTurns = ({ concurrency, maxQueuePerGroup, maxWait }: FairTurnsOptions) => {
	/** groups in the order of their next turn; each has at least one waiter */
	const queues = new Map<string, Waiter[]>();
	/** in the order they were given, which is the order they end in */
	const places = new Map<string, Set<Place>>();
	let running = 0;

	const keptFor = (group: string): Set<Place> => {
		const kept = places.get(group) ?? new Set();
		const now = Date.now();
		for (const place of kept) {
			if (place.until > now) break;
			kept.delete(place);
		}
		return kept;
	};

	const leave = (place: Place): void => {
		const kept = places.get(place.group);
		kept?.delete(place);
		if (kept?.size === 0) places.delete(place.group);
	};

	const next = (): void => {
		if (running >= concurrency) return;
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
			if (waiters.length >= maxQueuePerGroup) return resolve("full");
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

	const isFull = (group: string): boolean => {
		const room = maxQueuePerGroup + Math.max(0, concurrency - running);
		return (queues.get(group)?.length ?? 0) + keptFor(group).size >= room;
	};

	return {
		/** Whether nobody of any group waits, or is on the way. */
		isEmpty: (): boolean => queues.size === 0 && places.size === 0,
		/** Whether there is no place for one more of the group: so many wait, or are on the way, that it would be turned away. */
		isFull,
		/** A place for one more of the group; null where there is none. */
		keepPlace: (group: string): Place | null => {
			if (isFull(group)) return null;
			const place = { group, until: Date.now() + PLACE_KEPT_FOR };
			places.set(group, keptFor(group).add(place));
			return place;
		},
		/** Gives a place back: its owner has come, or does not come any more. */
		leave,
		/** Does the work when the group has its turn, or says why it has none. */
		inTurn: async <Result>(
			group: string,
			work: () => Promise<Result>,
		): Promise<{ result: Result } | { noTurn: NoTurn }> => {
			if (running < concurrency && queues.size === 0) running++;
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
		},
	};
};
