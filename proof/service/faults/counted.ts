/** Requests, and those that had no response or an error. Some faults must be refused. */
export type Counted = { requests: number; failed: number };
