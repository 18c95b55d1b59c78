import { AsyncLocalStorage } from "node:async_hooks";
import { unavailableResponse } from "../request/unavailable.ts";

type Handler = (request: Request) => Promise<Response>;

const running = new AsyncLocalStorage<{ isUnstored: boolean }>();

/** Records that a mail of the current request could not be stored. */
export const noticeUnstoredMail = (): void => {
	const request = running.getStore();
	if (request) request.isUnstored = true;
};

/**
 * Returns 503 if a mail of the request could not be stored. The engine only logs errors of mail callbacks, and the user
 * would wait for a mail that never comes.
 */
export const refusingUnstoredMails =
	(handler: Handler): Handler =>
	async (request) => {
		const state = { isUnstored: false };
		const response = await running.run(state, () => handler(request));
		return state.isUnstored ? unavailableResponse() : response;
	};
