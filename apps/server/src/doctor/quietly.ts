/** Does something without what it writes to the console: the engine and drivers say there what is a finding here. */
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
