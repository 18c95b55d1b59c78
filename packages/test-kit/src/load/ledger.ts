import { type Answer, show, type Visitor } from "./visitor.ts";

type Kept = { tenantId: string; email: string };

/** What the application acknowledged, and responses that it must not send. */
export type Ledger = ReturnType<typeof createLedger>;

/** Records acknowledged requests during a fault, to compare with the state afterwards. */
export const createLedger = () => {
	const answers: Record<string, number> = {};
	const violations = new Map<string, number>();
	const lastSuccess = new Map<number, number>();
	let slowest = 0;
	const times: number[] = [];
	const violate = (what: string): void => void violations.set(what, (violations.get(what) ?? 0) + 1);
	return {
		/** users whose sign-up was acknowledged */
		people: [] as Kept[],
		/** browsers before an acknowledged sign-out */
		revoked: [] as { visitor: Visitor; tenantId: string }[],
		answers,
		violate,
		violations: (): string[] => [...violations].map(([what, times]) => `${times} × ${what}`),
		/** the latest success of each worker */
		lastSuccess,
		slowest: (): number => Math.round(slowest),
		/** milliseconds of each response */
		times,
		/** milliseconds from each acknowledged sign-out until the session was refused */
		endedAfter: [] as number[],
		/** milliseconds from each acknowledged change of a user until a response shows it */
		seenAfter: [] as number[],
		/**
		 * Records a response and returns whether it is the expected success. Errors that a client must not retry are
		 * violations.
		 */
		note: (worker: number, what: string, answer: Answer, succeeded: boolean, allowed: string[] = []): boolean => {
			const name = `${what} ${answer.status || answer.failure}${answer.code ? ` ${answer.code}` : ""}`;
			answers[name] = (answers[name] ?? 0) + 1;
			slowest = Math.max(slowest, answer.ms);
			times.push(answer.ms);
			if (succeeded) lastSuccess.set(worker, performance.now());
			else if (answer.failure === "too late") violate(`${what} did not end in time`);
			else if (!isRetryable(answer) && !allowed.includes(answer.code ?? ""))
				violate(`${what} returned ${show(answer)}`);
			return succeeded;
		},
	};
};

/** Responses that allow a retry: none at all, or a server error. */
const isRetryable = ({ status }: Answer): boolean => status === 0 || status >= 500;

/** How many requests there were, and how many of them did not succeed. */
export const countAnswers = (answers: Record<string, number>): { requests: number; failed: number } => {
	const sum = (entries: [string, number][]): number => entries.reduce((total, [, count]) => total + count, 0);
	const all = Object.entries(answers);
	return { requests: sum(all), failed: sum(all.filter(([name]) => !name.endsWith(" 200"))) };
};
