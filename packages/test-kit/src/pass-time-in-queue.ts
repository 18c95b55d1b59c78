type Database = { query: (sql: string, values: unknown[]) => Promise<unknown> };

/** Lets time pass for the service's jobs: when they are due, and since when they are locked. The clock is not moved. */
export const passTimeInQueue = (database: Database, seconds: number): Promise<unknown> =>
	database.query(
		`update tenants_jobs._private_jobs set
			run_at = run_at - make_interval(secs => $1), locked_at = locked_at - make_interval(secs => $1),
			created_at = created_at - make_interval(secs => $1)`,
		[seconds],
	);

/** The same for mails that wait, which are given up at a time of their own. */
export const passTimeForMails = async (database: Database, seconds: number): Promise<void> => {
	await passTimeInQueue(database, seconds);
	await database.query(
		`update tenants_jobs._private_jobs
		set payload = jsonb_set(payload::jsonb, '{giveUpAt}', to_jsonb((payload->>'giveUpAt')::float8 - $1 * 1000))::json`,
		[seconds],
	);
};
