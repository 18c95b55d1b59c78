import cliProgress from "cli-progress";
import { plainText } from "./plain-text.ts";

export type Progress = {
	/** How far it is, and what else to say. */
	update(done: number, says: string): void;
	/** Writes lines above the bar. */
	above(text: string): void;
	stop(): void;
};

/**
 * A bar on stderr while work goes on, and nothing where stderr is no terminal. Without a total it counts.
 */
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
		// the time goes on where nothing else does
		forceRedraw: total === null,
	});
	bar.start(Math.max(total ?? 1, 1), 0, { says: "" });
	return {
		update: (done, says) => bar.update(total === null ? 0 : Math.min(done, total), { says: plainText(says) }),
		above: (text) => void process.stderr.write(`\r\u001b[K${text}\n`),
		stop: () => bar.stop(),
	};
};
