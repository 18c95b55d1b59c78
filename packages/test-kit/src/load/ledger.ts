import { type Answer, show, type Visitor } from "./visitor.ts";

type Kept = { tenantId: string; email: string };

/** What the application acknowledged, and what it answered that it must not. */
export type Ledger = ReturnType<typeof createLedger>;

/** Writes down what was acknowledged while something fails, to compare with what is there afterwards. */
export const createLedger = () => {
	const answers: Record<string, number> = {};
	const violations = new Map<string, number>();
	const lastSuccess = new Map<number, number>();
	let slowest = 0;
	const violate = (what: string): void => void violations.set(what, (violations.get(what) ?? 0) + 1);
	return {
		/** people whose sign-up was acknowledged */
		people: [] as Kept[],
		/** browsers as they were before an acknowledged sign-out */
		revoked: [] as { visitor: Visitor; tenantId: string }[],
		answers,
		violate,
		violations: (): string[] => [...violations].map(([what, times]) => `${times} × ${what}`),
		/** the latest success of each worker */
		lastSuccess,
		slowest: (): number => Math.round(slowest),
		/** Notes an answer; says whether it was the success that was asked for. Anything a client must not retry is a violation. */
		note: (worker: number, what: string, answer: Answer, succeeded: boolean, allowed: string[] = []): boolean => {
			const name = `${what} ${answer.status || answer.failure}${answer.code ? ` ${answer.code}` : ""}`;
			answers[name] = (answers[name] ?? 0) + 1;
			slowest = Math.max(slowest, answer.ms);
			if (succeeded) lastSuccess.set(worker, performance.now());
			else if (answer.failure === "too late") violate(`${what} did not end in time`);
			else if (!isRetryable(answer) && !allowed.includes(answer.code ?? "")) violate(`${what} answers ${show(answer)}`);
			return succeeded;
		},
	};
};

/** What tells a client to come again: no answer at all, or a fault of the server's. */
const isRetryable = ({ status }: Answer): boolean => status === 0 || status >= 500;
