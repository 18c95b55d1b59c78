import type { Logger } from "../observe/logger.ts";

type FollowWith = {
	/** reads the identity of the database */
	read: () => Promise<string>;
	/** seconds between two looks */
	every: number;
	logger: Logger;
};

/** Keeps the identity of the database up to date, for a database that is restored while this process runs. */
export const followDatabase = async ({ read, every, logger }: FollowWith) => {
	let identity = await read();
	const look = async (): Promise<void> => {
		// while the database does not respond, the last one stays
		const found = await read().catch(() => identity);
		if (found === identity) return;
		identity = found;
		logger.warn("the database was restored or replaced, so what Redis has of the previous one is not used");
	};
	const timer = setInterval(() => void look(), Math.max(1, every) * 1_000);
	timer.unref();
	return {
		identity: (): string => identity,
		/** Looks at once. */
		look,
		close: (): void => clearInterval(timer),
	};
};
