/** Says how far a run is. */
export type Progress = {
	/** A new part of the run begins, with this many steps. */
	begin: (part: string, steps: number) => void;
	/** A step of the part is done. */
	step: () => void;
	/** Removes the line from a terminal. */
	end: () => void;
};

/** A terminal, whose last line can be written again. */
export type Terminal = { write: (text: string) => unknown };

type ProgressWith = {
	log: (line: string) => void;
	calls: () => number;
	/** undefined if the output goes to a file, a test runner or a function of the application */
	terminal: Terminal | undefined;
};

/** Milliseconds between two lines in a log, and between two changes of the line in a terminal. */
const PAUSE = { log: 5_000, terminal: 200 };
const CLEAR = "\r\u001b[2K";

/** In a terminal one line that changes. Elsewhere at most one line every few seconds, and none in a short run. */
export const createProgress = ({ log, calls, terminal }: ProgressWith): Progress => {
	const started = Date.now();
	const pause = terminal ? PAUSE.terminal : PAUSE.log;
	let said = started;
	let current = { part: "", steps: 0, done: 0 };
	return {
		begin: (part, steps) => {
			current = { part, steps, done: 0 };
		},
		step: () => {
			current.done += 1;
			const now = Date.now();
			if (now - said < pause) return;
			said = now;
			const seconds = Math.round((now - started) / 1000);
			const line = `${current.part}: ${current.done} of ${current.steps}, ${calls()} calls, ${seconds} s`;
			if (terminal) terminal.write(CLEAR + line);
			else log(line);
		},
		end: () => void terminal?.write(CLEAR),
	};
};

/** The terminal that `console.info` prints to, if it is one. */
export const findTerminal = (): Terminal | undefined => {
	const stdout = globalThis.process?.stdout;
	return stdout?.isTTY ? stdout : undefined;
};
