import { getCurrentDBAdapterAsyncLocalStorage } from "@better-auth/core/context";

/** By what the engine's handler and ours create for each request: no context is at hand where requests are counted. */
const failures = new WeakMap<object, unknown>();
const begun = new WeakSet<object>();

const runningRequest = async (): Promise<object | undefined> =>
	(await getCurrentDBAdapterAsyncLocalStorage()).getStore();

/**
 * Remembers that the engine's rate limit could not count the running request. Returns true if `failureToCount` will be asked
 * about it, which refuses it. An error at this place leaves the engine's handler as it is: the caller would get the text of the
 * storage, and clients no status.
 */
export const willBeRefused = async (error: unknown): Promise<boolean> => {
	const request = await runningRequest();
	// asked already: a version that counts after the plugins have seen the request
	if (!request || begun.has(request)) return false;
	failures.set(request, error);
	return true;
};

/** Why the running request could not be counted. Call it once, when a plugin sees the request. */
export const failureToCount = async (): Promise<{ error: unknown } | undefined> => {
	const request = await runningRequest();
	if (!request) return undefined;
	begun.add(request);
	return failures.has(request) ? { error: failures.get(request) } : undefined;
};
