export type InFlight = ReturnType<typeof createInFlight>;

/** Does several things at once, and no more than that. The first failure ends it: nothing new begins. */
export const createInFlight = (atOnce: number) => {
	const underWay = new Set<Promise<void>>();
	let failed: { error: unknown } | null = null;
	const check = (): void => {
		if (failed) throw failed.error;
	};
	return {
		/** Waits for a place, then begins. */
		add: async (work: () => Promise<void>): Promise<void> => {
			while (underWay.size >= atOnce) await Promise.race(underWay);
			check();
			const running: Promise<void> = work()
				.catch((error: unknown) => {
					failed ??= { error };
				})
				.finally(() => underWay.delete(running));
			underWay.add(running);
		},
		/** Waits for all that was begun. */
		settle: async (): Promise<void> => {
			await Promise.all(underWay);
			check();
		},
	};
};
