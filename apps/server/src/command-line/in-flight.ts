export type InFlight = ReturnType<typeof createInFlight>;

/** Runs up to `atOnce` tasks at a time. After the first failure no new task starts. */
export const createInFlight = (atOnce: number) => {
	const underWay = new Set<Promise<void>>();
	let failed: { error: unknown } | null = null;
	const check = (): void => {
		if (failed) throw failed.error;
	};
	return {
		/** Waits for a free slot, then starts the task. */
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
		/** Waits for all started tasks. */
		settle: async (): Promise<void> => {
			await Promise.all(underWay);
			check();
		},
	};
};
