import * as z from "zod";

/**
 * A date as JSON writes it, or as server code has it. In UTC, and in years of four digits: `9999-12-31T23:59:59-23:59` is in
 * the year 10000, which the export would write so that no import reads it.
 */
export const date = z
	.union([z.date(), z.iso.datetime({ offset: true })])
	.transform((value) => new Date(value))
	.refine((value) => value.getUTCFullYear() >= 1970 && value.getUTCFullYear() <= 9999);
