import { watchingOutages } from "../database/outage.ts";
import { unavailableResponse } from "../request/unavailable.ts";

type Handler = (request: Request) => Promise<Response>;

/**
 * Returns 503 if the database or Redis failed during the request and the engine returned a 5xx or threw, for example
 * while counting requests. Any other response is kept, such as a session found in the database while Redis is down.
 */
export const answeringOutages =
	(handler: Handler): Handler =>
	async (request) => {
		const outcome = await watchingOutages(() => handler(request));
		const answered = "result" in outcome && outcome.result.status < 500;
		if (outcome.storeFailed && !answered) return unavailableResponse();
		if ("error" in outcome) throw outcome.error;
		return outcome.result;
	};
