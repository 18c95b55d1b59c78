import { AsyncLocalStorage } from "node:async_hooks";

const running = new AsyncLocalStorage<{ failed: boolean }>();

/** Runs `work` and says whether the database or Redis failed it meanwhile, however it ended. */
export const watchingOutages = async <Result>(work: () => Promise<Result>): Promise<Outcome<Result>> => {
	const outage = { failed: false };
	try {
		const result = await running.run(outage, work);
		return { result, storeFailed: outage.failed };
	} catch (error) {
		return { error, storeFailed: outage.failed };
	}
};

type Outcome<Result> = { storeFailed: boolean } & ({ result: Result } | { error: unknown });

/** The database or Redis failed whatever is running here. */
export const noticeOutage = (): void => {
	const outage = running.getStore();
	if (outage) outage.failed = true;
};
