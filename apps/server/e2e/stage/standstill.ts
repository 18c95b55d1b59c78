/** The longest time, in milliseconds, for which this machine did not run: time-outs end then without anybody being late. */
export const watchStandstill = (): (() => number) => {
	let longest = 0;
	let last = performance.now();
	const timer = setInterval(() => {
		const now = performance.now();
		longest = Math.max(longest, now - last - INTERVAL);
		last = now;
	}, INTERVAL);
	return () => {
		clearInterval(timer);
		return Math.round(longest);
	};
};

const INTERVAL = 50;
