/** The names that a text contains, cleaned: the tenant's, or the server's for users of the platform, and others. */
export type Names<Other extends string = never> = Record<"tenant" | Other, string>;
