import type { AuditEntry } from "better-auth-tenants";
import type { Pool } from "pg";
import type { Metrics } from "../measure/metrics.ts";
import { createSignInCounts } from "../measure/sign-in-counts.ts";
import type { Logger } from "../observe/logger.ts";
import { keepEvent } from "./events.ts";
import { type PlatformOverview, readOverview } from "./platform-overview.ts";

/** What the console needs of a running server. */
export type ConsoleServices = {
	overview: () => Promise<PlatformOverview>;
	/** Stores an attempt to manage. Throws if it cannot. */
	keepEvent: (entry: AuditEntry) => Promise<void>;
};

type ConsoleWith = {
	/** not the pool of the requests: an action may be audited while its request holds a connection */
	pool: Pool;
	metrics: Metrics;
	logger: Logger;
	closers: { add(name: string, close: () => Promise<void>): void };
};

/** Starts to count sign-ins. The rest of the counts is written when the server closes. */
export const openConsole = ({ pool, metrics, logger, closers }: ConsoleWith) => {
	const signInCounts = createSignInCounts({ pool, logger });
	closers.add("sign-in counts", signInCounts.close);
	const startedAt = new Date();
	return {
		signInCounts,
		overview: () => readOverview({ pool, metrics, startedAt }),
		keepEvent: (entry: AuditEntry) => keepEvent(pool, entry),
	};
};
