import type { Pool } from "pg";
import manifest from "../../package.json" with { type: "json" };
import { findProcesses, type RunningProcess } from "../database/processes.ts";
import { JOBS_SCHEMA } from "../jobs/schema.ts";
import type { Metrics } from "../measure/metrics.ts";
import type { SignInNumbers } from "../measure/sign-in-numbers.ts";

/** Jobs that wait for their first attempt, that failed and are tried again, and that were given up. */
type JobNumbers = { task: string; waiting: number; retrying: number; failed: number; oldestSeconds: number };

/** A tenant whose deletion has started, in any process. It continues when the tenant is deleted again. */
type Deletion = { tenantId: string; name: string; slug: string; startedAt: Date; rowsLeft: number };

export type PlatformOverview = {
	version: string;
	/** of this process only; the metrics have all of them */
	process: { startedAt: Date; signIns: SignInNumbers };
	/** `schema` differs between processes of different versions or configurations */
	processes: RunningProcess[];
	jobs: JobNumbers[];
	/** exact up to 10,000; above, PostgreSQL's estimate */
	tenantsEstimate: number;
	deletions: Deletion[];
};

/** Above, the planner's estimate is close enough, and a count would take long. */
const COUNTED = 10_000;
const MOST_DELETIONS = 20;

type OverviewWith = { pool: Pick<Pool, "query">; metrics: Pick<Metrics, "signInNumbers">; startedAt: Date };

/** Reads the overview: four short statements, and the metrics of this process. */
export const readOverview = async ({ pool, metrics, startedAt }: OverviewWith): Promise<PlatformOverview> => ({
	version: manifest.version,
	process: { startedAt, signIns: await metrics.signInNumbers() },
	processes: await findProcesses(pool),
	jobs: await findJobs(pool),
	tenantsEstimate: await estimateTenants(pool),
	deletions: await findDeletions(pool),
});

const findJobs = async (pool: OverviewWith["pool"]): Promise<JobNumbers[]> => {
	const { rows } = await pool.query<JobNumbers>(
		`select task_identifier as "task",
			count(*) filter (where attempts = 0)::int as "waiting",
			count(*) filter (where attempts > 0 and attempts < max_attempts)::int as "retrying",
			count(*) filter (where attempts >= max_attempts)::int as "failed",
			coalesce(extract(epoch from now() - min(created_at)), 0)::int as "oldestSeconds"
		from "${JOBS_SCHEMA}".jobs group by task_identifier order by task_identifier`,
	);
	return rows;
};

const estimateTenants = async (pool: OverviewWith["pool"]): Promise<number> => {
	const { rows } = await pool.query<{ counted: number; estimate: number }>(
		`select (select count(*) from (select from "tenant" limit ${COUNTED}) as "some")::int as "counted",
			(select reltuples from pg_class where oid = to_regclass('"tenant"'))::float8 as "estimate"`,
	);
	const { counted = 0, estimate = 0 } = rows[0] ?? {};
	return counted < COUNTED ? counted : Math.max(counted, Math.round(estimate));
};

/** The tables with most rows of a tenant. Each has an index that starts with the tenant. */
const COUNTED_TABLES = ["session", "account", "verification", "user"];

const findDeletions = async (pool: OverviewWith["pool"]): Promise<Deletion[]> => {
	// a tenant that is deleted keeps the time when it was closed in "updatedAt"
	const left = COUNTED_TABLES.map(
		(table) => `(select count(*) from "${table}" where "${table}"."tenantId" = "tenant"."id")`,
	);
	const { rows } = await pool.query<Deletion>(
		`select "id" as "tenantId", "name", "slug", "updatedAt" as "startedAt", (${left.join(" + ")})::int as "rowsLeft"
		from "tenant" where "status" = 'deleting' order by "updatedAt" limit ${MOST_DELETIONS}`,
	);
	return rows;
};
