import cliProgress from "cli-progress";
import { plainText } from "../lib/plain-text.ts";

export type Progress = {
	/** Sets the progress and the text beside it. */
	update(done: number, says: string): void;
	/** Writes lines above the bar. */
	above(text: string): void;
	stop(): void;
};

/** Shows a progress bar on stderr, or nothing if stderr is not a terminal. Without a total it shows a count. */
export const startProgress = ({ title, total }: { title: string; total: number | null }): Progress => {
	if (!process.stderr.isTTY)
		return { update: () => {}, above: (text) => void process.stderr.write(`${text}\n`), stop: () => {} };
	const name = plainText(title);
	const bar = new cliProgress.SingleBar({
		stream: process.stderr,
		format:
			total === null
				? `${name}  {says}  {duration_formatted}`
				: `${name}  [{bar}] {percentage}%  {says}  {eta_formatted} left`,
		barsize: 24,
		hideCursor: false,
		clearOnComplete: true,
		etaBuffer: 50,
		// the elapsed time keeps changing
		forceRedraw: total === null,
	});
	bar.start(Math.max(total ?? 1, 1), 0, { says: "" });
	return {
		update: (done, says) => bar.update(total === null ? 0 : Math.min(done, total), { says: plainText(says) }),
		above: (text) => void process.stderr.write(`\r\u001b[K${text}\n`),
		stop: () => bar.stop(),
	};
};
