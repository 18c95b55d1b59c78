import type * as z from "zod";

export type Variables = Record<string, z.ZodType>;
type ValuesOf<Known extends Variables> = z.output<z.ZodObject<Known>>;

/** One part of the configuration: its variables, and what the service makes of them. */
export type Section<Own extends Variables, Needed extends Variables, Result> = {
	variables: Own;
	/** names of every variable that `read` looks at */
	reads: string[];
	read: (values: ValuesOf<Own & Needed>, mistakes: string[]) => Result;
};

/**
 * Defines a part of the configuration. `read` sees the variables after each was parsed by itself, and adds to `mistakes` what
 * is wrong with them together. `needed` are variables of other sections that it looks at, too.
 */
export const defineSection = <Own extends Variables, Result, Needed extends Variables = Record<never, never>>(
	variables: Own,
	read: Section<Own, Needed, Result>["read"],
	needed?: Needed,
): Section<Own, Needed, Result> => ({
	variables,
	reads: [...Object.keys(variables), ...Object.keys(needed ?? {})],
	read,
});
