import type { Kind } from "./catalogue.ts";

/** One generated operation: its kind, and the number that decides everything else. */
export type Operation = { kind: Kind; die: number };
