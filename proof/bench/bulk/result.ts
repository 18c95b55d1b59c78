import type { OTHERS } from "./measure-step.ts";
import type { Move } from "./move-tenant.ts";

export type BulkResult = {
	users: number;
	/** users in one request */
	batch: number;
	/** of the other tenant, requests per second */
	others: typeof OTHERS;
	moves: (Move & {
		sessionsIn: "the database" | "Redis";
		/** that other tenants have in Redis */
		foreignKeys: number;
	})[];
};
