import type { Pool } from "pg";
import { createQueue } from "../jobs/queue.ts";
import { pendingMails } from "../mail/outbox.ts";
import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, notChecked } = findingsOf("jobs");

/** Seconds. Longer than the longest pause between two attempts. */
const LATE = 600;

/** Looks for mails that nobody sends. */
export const checkJobs = async (pool: Pool | null): Promise<Finding[]> => {
	if (!pool) return [notChecked("the database is not configured")];
	try {
		const { pending, oldest } = await pendingMails(createQueue(pool));
		if (oldest < LATE) return [ok(`${pending === 1 ? "1 mail waits" : `${pending} mails wait`} to be sent`)];
		return [
			warning(
				`${pending === 1 ? "1 mail waits" : `${pending} mails wait`} to be sent, the oldest for ${Math.round(oldest / 60)} minutes`,
				"Check the mail server, and that a process runs `tenants serve` without JOBS=off. Its log has the reason.",
			),
		];
	} catch (error) {
		// the check of the schema reports that it is missing
		if (error instanceof Error && "code" in error && (error.code === "42P01" || error.code === "3F000"))
			return [notChecked("the job queue is missing. Run `tenants migrate`")];
		return [notChecked(`the database could not be queried: ${describeFailure(error).says}`)];
	}
};
