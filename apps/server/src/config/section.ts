import type * as z from "zod";

export type Variables = Record<string, z.ZodType>;
type NoVariables = Record<never, never>;
/** zod infers an object without properties as one that must have none. */
type ValuesOf<Known extends Variables> = [keyof Known] extends [never] ? unknown : z.output<z.ZodObject<Known>>;

/** One part of the configuration: its variables and the parsed result. */
export type Section<Own extends Variables, Needed extends Variables, Optional extends Variables, Result> = {
	variables: Own;
	/** the variables that must be valid before `read` is called */
	reads: string[];
	read: (values: ValuesOf<Own & Needed> & Partial<ValuesOf<Optional>>, mistakes: string[]) => Result;
};

/**
 * Defines a part of the configuration. `read` gets the parsed variables and adds mistakes in their combination to
 * `mistakes`. It may use variables of other sections: `needed` ones are always valid, `optional` ones are undefined if
 * invalid.
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
