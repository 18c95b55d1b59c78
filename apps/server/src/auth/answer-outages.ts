import { watchingOutages } from "../database/outage.ts";
import { unavailableResponse } from "./unavailable.ts";

type Handler = (request: Request) => Promise<Response>;

/**
 * Answers 503 where the database or Redis failed a request and the engine has no answer but 500, or none at all, as when
 * it counts requests. Where it has one, such as a session found in the database while Redis is gone, that one stands.
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
