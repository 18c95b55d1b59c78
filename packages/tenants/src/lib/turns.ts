export type Turns = ReturnType<typeof createTurns>;

/** Ends a turn. */
export type EndTurn = () => void;

/** `since` is on a clock that nobody sets. */
type Turn = { since: number };
type Line = {
	/** in the order they began */
	running: Set<Turn>;
	/** in the order they came. Each takes the turn that is passed to it. */
	waiting: ((passed: Turn) => void)[];
};

/**
 * Milliseconds that a turn lasts. A request that takes longer waits for something else than the processor: a hash, a mail
 * server, an identity provider. Nobody needs to wait with it.
 */
const LONGEST_TURN = 50;

/**
 * Lets at most `atOnce` requests of one line begin at the same time. The others wait in the order they came.
 *
 * Each request waits with timers of its own. In workerd, the timers of a request end with it, so a request that has ended cannot
 * pass its turn on with one. A request that waits for nothing of its own is canceled there.
 */
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
		if (next) {
			// stays taken until the request that waits begins, so none comes between
			const passed: Turn = { since: performance.now() };
			line.running.add(passed);
			next(passed);
		}
		// callers can invent tenant ids, so a line is kept only while its requests run
		else if (line.running.size === 0 && lines.get(name) === line) lines.delete(name);
	};

	/** Ends the turns that last too long, if somebody waits. */
	const endLongTurns = (name: string, line: Line): void => {
		const now = performance.now();
		for (const turn of [...line.running])
			if (line.waiting.length > 0 && turn.since + LONGEST_TURN <= now) end(name, line, turn);
	};

	const waitIn = async (name: string, line: Line): Promise<EndTurn> => {
		let timer: ReturnType<typeof setTimeout> | undefined;
		const watch = (): void => {
			const [oldest] = line.running;
			const due = Math.max(0, (oldest?.since ?? performance.now()) + LONGEST_TURN - performance.now());
			timer = setTimeout(() => {
				endLongTurns(name, line);
				watch();
			}, due);
		};
		const passed = await new Promise<Turn>((resolve) => {
			line.waiting.push(resolve);
			watch();
		});
		clearTimeout(timer);
		// begins in a later turn of the event loop: otherwise a line of requests that wait for nothing would run as one block
		await new Promise((resolve) => setTimeout(resolve, 0));
		line.running.delete(passed);
		return beginIn(name, line);
	};

	return {
		/** Whether the next request of the line has to wait. */
		mustWait: (name: string): boolean => (lines.get(name)?.running.size ?? 0) >= atOnce,
		/** Takes a turn: without a promise if it can begin at once. */
		take: (name: string): EndTurn | Promise<EndTurn> => {
			const line = lines.get(name) ?? { running: new Set(), waiting: [] };
			lines.set(name, line);
			return line.running.size < atOnce ? beginIn(name, line) : waitIn(name, line);
		},
	};
};
