import { AsyncLocalStorage } from "node:async_hooks";

const running = new AsyncLocalStorage<{ failed: boolean }>();

/** Runs `work` and reports whether the database or Redis failed during it, regardless of its outcome. */
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

/** Records that the database or Redis failed the current work. */
export const noticeOutage = (): void => {
	const outage = running.getStore();
	if (outage) outage.failed = true;
};
