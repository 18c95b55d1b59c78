import * as z from "zod";

/**
 * A date in JSON, or a `Date` of server code. The year must have four digits in UTC: `9999-12-31T23:59:59-23:59` is in
 * the year 10000, which an export would write in a form that no import can read.
 */
export const date = z
	.union([z.date(), z.iso.datetime({ offset: true })])
	.transform((value) => new Date(value))
	.refine((value) => value.getUTCFullYear() >= 1970 && value.getUTCFullYear() <= 9999);
