/**
 * On contexts that have been scoped, the tenant they were scoped to: the engine hands them on when one endpoint calls
 * another.
 */
export const SCOPED = Symbol("scoped");

export const scopeOf = (context: object): unknown => (SCOPED in context ? context[SCOPED] : undefined);
