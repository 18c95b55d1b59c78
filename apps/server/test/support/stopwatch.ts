/**
 * Milliseconds that passed while this process was running. A busy host may stall the process for seconds, which does
 * not count as a delay. Use it for waiting on others: the process's own work counts at most a tenth of a second at a
 * time.
 */
export const startStopwatch = (): (() => number) => {
	let passed = 0;
	let last = performance.now();
	const tick = (): void => {
		const now = performance.now();
		passed += Math.min(now - last, 100);
		last = now;
	};
	const timer = setInterval(tick, 20);
	return () => {
		clearInterval(timer);
		tick();
		return passed;
	};
};
