/** Says how far a long run is: at most one line every few seconds, and none in a short run. */
export type Progress = {
	/** A new part of the run begins, with this many steps. */
	begin: (part: string, steps: number) => void;
	/** A step of the part is done. */
	step: () => void;
};

/** Milliseconds between two lines. */
const PAUSE = 5_000;

export const createProgress = (log: (line: string) => void, calls: () => number): Progress => {
	const started = Date.now();
	let said = started;
	let current = { part: "", steps: 0, done: 0 };
	return {
		begin: (part, steps) => {
			current = { part, steps, done: 0 };
		},
		step: () => {
			current.done += 1;
			const now = Date.now();
			if (now - said < PAUSE) return;
			said = now;
			const seconds = Math.round((now - started) / 1000);
			log(`${current.part}: ${current.done} of ${current.steps}, ${calls()} calls, ${seconds} s`);
		},
	};
};
