import type { Credential, End } from "./beliefs.ts";
import { type Answer, isOk } from "./call.ts";
import { endsOf } from "./ends.ts";
import { type Gap, gapOf } from "./known-gaps.ts";
import type { Model } from "./model.ts";
import type { Step } from "./step.ts";
import type { Effect, Ticket } from "./ticket.ts";

/** Columns that lock a row, or count. A write of only these gives nobody anything. */
const NOTHING = new Set([
	"updatedAt",
	"rightsEpoch",
	"lastRequest",
	"requestCount",
	"remaining",
	"lastRefillAt",
	"failedVerificationCount",
	"lockedUntil",
]);

/** Sessions and verifications are judged by their use. */
const JUDGED_BY_USE = new Set(["session", "verification", "rateLimit"]);

const isAct = ({ kind, table, columns }: Effect): boolean => {
	if (JUDGED_BY_USE.has(table)) return false;
	// the lock of a tenant
	if (table === "tenant" && columns.join() === "status") return false;
	return kind !== "update" || columns.some((column) => !NOTHING.has(column));
};

/** What a request did after an end that it should not have survived. */
const actsAfter = ({ effects }: Ticket, { answered }: End): Effect[] =>
	effects.filter((effect) => effect.at > answered && isAct(effect));

export const hasSucceeded = (step: Step, answer: Answer): boolean => step.succeeded?.(answer) ?? isOk(answer);

/** What a request did with an old right. `gap` names it if it is a known one, see known-gaps.ts. */
export type Finding = { message: string; gap: Gap | null };

/** When a credential was made, and with which. */
const originOf = ({ kind, began, by }: Credential): string => `${kind} of ${began}${by ? ` by ${originOf(by)}` : ""}`;

/** Applies the rule: once an end was answered, nothing from before acts with the old right. */
export const judge = (model: Model, step: Step, ticket: Ticket, answer: Answer): Finding | null => {
	const { right } = step;
	if (!right) return null;
	const isSuccess = hasSucceeded(step, answer);
	const findings = endsOf(right, model, ticket.worked)
		.filter(({ kind }) => kind !== "factor" || !step.allowsPending)
		.flatMap((end): Finding[] => {
			const said = `after ${end.kind} was answered (${originOf(right.credential)}; ended ${end.began}-${end.answered})`;
			if (ticket.began > end.answered)
				return isSuccess ? [{ message: `${right.credential.kind} from before acts ${said}`, gap: null }] : [];
			const [act] = actsAfter(ticket, end);
			const gap = gapOf(end.kind, step.reads ?? false);
			const written = act ? `${act.kind} ${act.table} (${act.columns.join()})` : "";
			if (act && (isSuccess || act.kind === "insert"))
				return [{ message: `a request from before acts ${said}: ${written}`, gap }];
			const hasRead = step.reads && isSuccess && ticket.worked > end.answered;
			return hasRead ? [{ message: `a request from before reads ${said}`, gap }] : [];
		});
	return findings.find(({ gap }) => gap === null) ?? findings[0] ?? null;
};
