import { startProcess } from "test-kit/processes";
import type { ContestantCalls } from "./contestant-process.ts";
import type { ContestantName } from "./contestants.ts";

export type RunningContestant = Awaited<ReturnType<typeof startContestant>>;

/** Warm-up tenants, which compile, connect and load everything first. */
const WARM_UP = Array.from({ length: 10 }, (_, number) => number);
/** the first measured tenant */
export const FIRST_TENANT = WARM_UP.length;

/** A warm contestant in a separate process that has not seen any measured tenant. */
export const startContestant = async (name: ContestantName, postgres: string) => {
	const running = startProcess<ContestantCalls>(new URL("./contestant-process.ts", import.meta.url));
	try {
		await running.call("open", { name, postgres });
		const { cookies } = await running.call("visit", WARM_UP);
		const asked = Array.from({ length: 500 }, (_, number) => {
			const tenant = number % WARM_UP.length;
			return { tenant, cookie: cookies[tenant] ?? "" };
		});
		for (const kind of ["sign-in", "get-session"] as const) await running.call("load", { kind, asked, parallel: 8 });
		return { name, ...running, empty: await running.call("memory") };
	} catch (error) {
		await running.kill();
		throw error;
	}
};
