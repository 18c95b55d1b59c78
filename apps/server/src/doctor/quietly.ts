/** Silences the console while `work` runs. The engine and drivers would print there what the findings report. */
export const quietly = async <Result>(work: () => Promise<Result>): Promise<Result> => {
	const { log, warn, error } = console;
	const nothing = (): void => {};
	Object.assign(console, { log: nothing, warn: nothing, error: nothing });
	try {
		return await work();
	} finally {
		Object.assign(console, { log, warn, error });
	}
};
