/**
 * The key under which a scoped context keeps its tenant. The engine passes the context on when one endpoint calls
 * another.
 */
export const SCOPED = Symbol("scoped");

export const scopeOf = (context: object): unknown => (SCOPED in context ? context[SCOPED] : undefined);
