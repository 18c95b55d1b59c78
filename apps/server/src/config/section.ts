import type * as z from "zod";

export type Variables = Record<string, z.ZodType>;
type NoVariables = Record<never, never>;
/** zod takes an object without properties for one that may have none. */
type ValuesOf<Known extends Variables> = [keyof Known] extends [never] ? unknown : z.output<z.ZodObject<Known>>;

/** One part of the configuration: its variables, and what the service makes of them. */
export type Section<Own extends Variables, Needed extends Variables, Optional extends Variables, Result> = {
	variables: Own;
	/** names of the variables without which `read` is not called */
	reads: string[];
	read: (values: ValuesOf<Own & Needed> & Partial<ValuesOf<Optional>>, mistakes: string[]) => Result;
};

/**
 * Defines a part of the configuration. `read` gets the variables after each was parsed by itself, and adds to `mistakes` what
 * is wrong with them together. It may look at variables of other sections: `needed` ones have to be right, `optional` ones are
 * undefined where they are wrong.
 */
export const defineSection = <
	Own extends Variables,
	Result,
	Needed extends Variables = NoVariables,
	Optional extends Variables = NoVariables,
>(
	variables: Own,
	read: Section<Own, Needed, Optional, Result>["read"],
	others: { needed?: Needed; optional?: Optional } = {},
): Section<Own, Needed, Optional, Result> => ({
	variables,
	reads: [...Object.keys(variables), ...Object.keys(others.needed ?? {})],
	read,
});
