const endings = new Set<() => void>();

/** Runs `end` when this process exits or is terminated, unless it is called off before. */
export const endWithProcess = (end: () => void): (() => void) => {
	if (endings.size === 0) {
		process.once("exit", endAll);
		for (const signal of SIGNALS) process.once(signal, exit);
	}
	endings.add(end);
	return () => {
		endings.delete(end);
		if (endings.size > 0) return;
		process.off("exit", endAll);
		for (const signal of SIGNALS) process.off(signal, exit);
	};
};

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const exit = (): void => process.exit(1);

const endAll = (): void => {
	for (const end of endings) {
		try {
			end();
		} catch {
			// run the others too
		}
	}
};
