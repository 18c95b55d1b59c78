import type { Kind } from "./catalogue.ts";

/** One generated operation: what kind, and the number that decides everything else about it. */
export type Operation = { kind: Kind; die: number };
