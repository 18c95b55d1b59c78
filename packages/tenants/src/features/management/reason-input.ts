import * as z from "zod";

/** Why an operator does something: one line for the audit, without characters that could change how it is shown. */
export const reasonInput = z
	.string()
	.trim()
	.min(1)
	.max(500)
	.regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u);
