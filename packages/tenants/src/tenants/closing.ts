/** The closed tenant. `isSame` is false if a new tenant was imported with the same id. */
export type Closing = { tenantId: string; isSame: () => Promise<boolean> };
