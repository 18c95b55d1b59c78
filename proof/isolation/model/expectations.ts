import { type Answer, textAt } from "./http.ts";

/** Expectations of a response. Each returns what is wrong, or null. */
export type Check = (answer: Answer) => string | null;

const seen = ({ status, json, location, text }: Answer): string =>
	`returned ${status} ${textAt(json, "code") || location || text.slice(0, 160)}`;

export const errorIn = (location: string | null): string | null =>
	location === null ? null : (URL.parse(location, "http://localhost")?.searchParams.get("error") ?? null);

export const setsSession = ({ cookies }: Answer): boolean =>
	[...cookies].some(([name, value]) => name.endsWith("session_token") && value !== "");

export const isRefusal = ({ status, location }: Answer): boolean =>
	(status >= 400 && status < 500) || (status === 302 && errorIn(location) !== null);

/** 200, or a redirect without an error. */
export const succeeds: Check = (answer) =>
	answer.status === 200 || (answer.status === 302 && errorIn(answer.location) === null)
		? null
		: `${seen(answer)} instead of success`;

/** Any error that creates no session and sends no message. */
export const refuses: Check = (answer) => {
	if (!isRefusal(answer)) return `${seen(answer)} instead of a refusal`;
	if (setsSession(answer)) return `${seen(answer)} and set a session`;
	return answer.outbox.length > 0 ? `${seen(answer)} and sent a message` : null;
};

export const refusesWith =
	(status: number, code?: string): Check =>
	(answer) => {
		if (answer.status !== status || (code !== undefined && textAt(answer.json, "code") !== code))
			return `${seen(answer)} instead of ${status} ${code ?? ""}`;
		return refuses(answer);
	};

/** Success with a body that passes a test. */
export const succeedsWith =
	(says: string, test: (json: unknown) => boolean): Check =>
	(answer) =>
		succeeds(answer) ?? (test(answer.json) ? null : `${seen(answer)}: ${says} expected`);

/** Not signed in: the session endpoint returns null, every other one an error. */
export const isNobody: Check = (answer) => {
	if (answer.status === 200 && answer.json === null && !setsSession(answer)) return null;
	return refuses(answer);
};

export const both =
	(...checks: Check[]): Check =>
	(answer) => {
		for (const check of checks) {
			const wrong = check(answer);
			if (wrong) return wrong;
		}
		return null;
	};
