import type { DatabaseConfig } from "../config/database.ts";

/** A connection for health checks: a tenant that exhausts the pool must not make the load balancer remove this process. */
export const PROBE_CONNECTIONS = 1;
/** For jobs: one may delete rows for seconds while the other adds and finds mails. */
export const JOBS_CONNECTIONS = 2;

/** The connections to PostgreSQL that a process opens at most. */
export const connectionsOf = ({ poolSize }: Pick<DatabaseConfig, "poolSize">): number =>
	poolSize + PROBE_CONNECTIONS + JOBS_CONNECTIONS;
