import { defineSection } from "./section.ts";
import { oneOf, text } from "./variables.ts";

/** Numbers, ranges, lists and steps. The worker checks whether the numbers are in range. */
const CRON = /^([\d*/,-]+\s+){4}[\d*/,-]+$/;

export const jobsSection = defineSection(
	{
		JOBS: oneOf(["on", "off"], "on").meta({
			description:
				"Whether this process runs background jobs, such as sending mails: on or off. At least one process must run them; all can",
		}),
		SWEEP_SCHEDULE: text()
			.refine((value) => value === "off" || CRON.test(value), {
				error: 'is not a schedule. Use five fields as in crontab, such as "17 * * * *", or off',
			})
			.default("17 * * * *")
			.meta({
				description:
					"When to delete expired sessions, codes and tokens, as five crontab fields in UTC: minute, hour, day, month, weekday. One process does it for all; off disables it",
			}),
	},
	(values) => ({
		/** whether this process runs jobs; it adds jobs either way */
		run: values.JOBS === "on",
		sweepSchedule: values.SWEEP_SCHEDULE === "off" ? null : values.SWEEP_SCHEDULE,
	}),
);
