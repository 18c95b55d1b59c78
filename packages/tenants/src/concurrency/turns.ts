export type Turns = ReturnType<typeof createTurns>;

/** Ends a turn. */
export type EndTurn = () => void;

/** `since` is on a clock that nobody sets. */
type Turn = { since: number };
type Line = {
	/** in the order they began */
	running: Set<Turn>;
	/** in the order they came */
	waiting: (() => void)[];
	timer: ReturnType<typeof setTimeout> | null;
};

/**
 * Milliseconds that a turn lasts. A request that takes longer waits for something else than the processor: a hash, a mail
 * server, an identity provider. Nobody needs to wait with it.
 */
const LONGEST_TURN = 50;

/** Lets at most `atOnce` requests of one line begin at the same time. The others wait in the order they came. */
export const createTurns = (atOnce: number) => {
	const lines = new Map<string, Line>();

	const beginIn = (name: string, line: Line): EndTurn => {
		const turn: Turn = { since: performance.now() };
		line.running.add(turn);
		return () => end(name, line, turn);
	};

	const end = (name: string, line: Line, turn: Turn): void => {
		// ends once: the next one may run already
		if (!line.running.delete(turn)) return;
		const next = line.waiting.shift();
		if (next) beginLater(line, next);
		// callers can invent tenant ids, so a line is kept only while its requests run
		else if (line.running.size === 0) lines.delete(name);
	};

	/**
	 * Passes a turn on in a later turn of the event loop. Otherwise a line of requests that wait for nothing would run as one
	 * block. The turn stays taken meanwhile, so none comes between.
	 */
	const beginLater = (line: Line, next: () => void): void => {
		const passed: Turn = { since: performance.now() };
		line.running.add(passed);
		setTimeout(() => {
			line.running.delete(passed);
			next();
		}, 0);
	};

	/** Ends the turns that last too long, if somebody waits. */
	const watch = (name: string, line: Line): void => {
		const [oldest] = line.running;
		if (line.timer || line.waiting.length === 0 || !oldest) return;
		line.timer = setTimeout(
			() => {
				line.timer = null;
				const now = performance.now();
				for (const turn of [...line.running])
					if (line.waiting.length > 0 && turn.since + LONGEST_TURN <= now) end(name, line, turn);
				watch(name, line);
			},
			oldest.since + LONGEST_TURN - performance.now(),
		);
	};

	return {
		/** Whether the next request of the line has to wait. */
		mustWait: (name: string): boolean => (lines.get(name)?.running.size ?? 0) >= atOnce,
		/** Takes a turn: without a promise if it can begin at once. */
		take: (name: string): EndTurn | Promise<EndTurn> => {
			const line = lines.get(name) ?? { running: new Set(), waiting: [], timer: null };
			lines.set(name, line);
			if (line.running.size < atOnce) return beginIn(name, line);
			return new Promise((resolve) => {
				line.waiting.push(() => resolve(beginIn(name, line)));
				watch(name, line);
			});
		},
	};
};
