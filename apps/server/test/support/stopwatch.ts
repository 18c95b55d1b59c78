/**
 * Milliseconds that passed while this process ran: a busy host takes its cores away for seconds now and then, and that is
 * nobody's delay. For what waits for others; work of this process's own is counted up to a tenth of a second at a time.
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
