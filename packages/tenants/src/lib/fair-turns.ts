/** Why a request gets no turn: the group's queue is full, or it waited too long. */
export type NoTurn = "full" | "late";

export type FairTurnsOptions = {
	/** how many run at the same time */
	concurrency: number;
	/** how many of one group may wait; the next one is rejected */
	maxQueuePerGroup: number;
	/** the longest wait in milliseconds */
	maxWait: number;
};

type Waiter = { group: string; start: () => void };

/** A reserved place in the queue of a group. */
export type Place = { group: string; until: number };

/** Milliseconds after which an unused place expires. */
const PLACE_KEPT_FOR = 2_000;

/**
 * Takes turns between groups. While n groups wait, each gets every n-th turn, however many requests it sends. So a group
 * under load delays itself and not the others.
 */
export const createFairTurns = ({ concurrency, maxQueuePerGroup, maxWait }: FairTurnsOptions) => {
	let running = 0;
	const begin = (): void => {
		running++;
	};
	const { queues, startNext, waitForTurn } = createQueues({ maxQueuePerGroup, maxWait, begin });
	const { places, keptFor, leave } = createPlaces();

	const isFull = (group: string): boolean => {
		const room = maxQueuePerGroup + Math.max(0, concurrency - running);
		return (queues.get(group)?.length ?? 0) + keptFor(group).size >= room;
	};

	return {
		/** How many run, and how many wait. */
		counts: (): { running: number; waiting: number } => {
			let waiting = 0;
			for (const waiters of queues.values()) waiting += waiters.length;
			return { running, waiting };
		},
		/** Whether no request waits or has a place. */
		isEmpty: (): boolean => queues.size === 0 && places.size === 0,
		/** Whether the next request of the group would be rejected. */
		isFull,
		/** Reserves a place for a request of the group. Returns null if the queue is full. */
		keepPlace: (group: string): Place | null => {
			if (isFull(group)) return null;
			const place = { group, until: Date.now() + PLACE_KEPT_FOR };
			places.set(group, keptFor(group).add(place));
			return place;
		},
		/** Releases a place. */
		leave,
		/** Runs the work when the group has its turn, or returns why it has none. */
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
				if (running < concurrency) startNext();
			}
		},
	};
};

const createPlaces = () => {
	/** in the order they were reserved, which is the order they expire in */
	const places = new Map<string, Set<Place>>();

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

	return { places, keptFor, leave };
};

type QueuesWith = Omit<FairTurnsOptions, "concurrency"> & {
	/** called at the start of each turn, before another request can take it */
	begin: () => void;
};

const createQueues = ({ maxQueuePerGroup, maxWait, begin }: QueuesWith) => {
	/** groups in the order of their next turn; each has at least one waiter */
	const queues = new Map<string, Waiter[]>();

	const startNext = (): void => {
		const first = queues.entries().next();
		if (first.done) return;
		const [group, waiters] = first.value;
		const waiter = waiters.shift();
		// the group goes to the end of the queue if it has more
		queues.delete(group);
		if (waiters.length > 0) queues.set(group, waiters);
		waiter?.start();
	};

	const waitForTurn = async (group: string): Promise<NoTurn | null> => {
		let timer: ReturnType<typeof setTimeout> | undefined;
		const noTurn = await new Promise<NoTurn | null>((resolve) => {
			const waiters = queues.get(group) ?? [];
			if (waiters.length >= maxQueuePerGroup) return resolve("full");
			const waiter: Waiter = {
				group,
				start: () => {
					begin();
					resolve(null);
				},
			};
			timer = setTimeout(() => {
				const at = waiters.indexOf(waiter);
				if (at >= 0) waiters.splice(at, 1);
				if (waiters.length === 0 && queues.get(group) === waiters) queues.delete(group);
				resolve("late");
			}, maxWait);
			waiters.push(waiter);
			queues.set(group, waiters);
		});
		// not in `start`, which another request calls: in workerd, each request has timers of its own
		clearTimeout(timer);
		return noTurn;
	};

	return { queues, startNext, waitForTurn };
};
