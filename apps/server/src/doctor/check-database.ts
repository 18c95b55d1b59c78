import type { DatabaseConfig } from "../config/database.ts";
import { askHost, type DatabaseHost } from "./database-host.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, wrong } = findingsOf("database");

type Reached = Extract<DatabaseHost, { isReachable: true }>;

/** The oldest PostgreSQL that is still looked after by its makers. */
const OLDEST = 14;
/** Milliseconds. A request asks a few times, one after the other. */
const SLOW = 20;

/** Whether PostgreSQL answers, which host takes writes, how far away it is, and whether it has connections for us. */
export const checkDatabase = async (config: DatabaseConfig): Promise<Finding[]> => {
	const hosts = await Promise.all(config.urls.map((url) => askHost(url, config)));
	const reached = hosts.filter((host) => host.isReachable);
	const primary = reached.find(({ isPrimary }) => isPrimary);
	return [
		...hosts.flatMap((host) => sayHost(host, primary !== undefined)),
		...checkPrimaries(reached, hosts.length),
		...(primary ? checkConnections(primary, config) : []),
	];
};

const sayHost = (host: DatabaseHost, hasPrimary: boolean): Finding[] => {
	if (!host.isReachable) {
		const says = `PostgreSQL at ${host.address}: ${host.says}`;
		return [hasPrimary ? warning(`${says}. Nobody could take over`, host.mend) : wrong(says, host.mend)];
	}
	const { address, version, latency, isPrimary, isPooled } = host;
	const says = `PostgreSQL ${version} at ${address} ${isPrimary ? "takes writes" : "is a standby"}, answers in ${latency.toFixed(1)} ms${isPooled ? ", through a pooler (PgBouncer or its like)" : ""}`;
	if (Math.floor(host.versionNumber / 10_000) < OLDEST)
		return [warning(says, `PostgreSQL before ${OLDEST} gets no more corrections: move to a newer one.`)];
	if (latency > SLOW)
		return [warning(says, "Run the service next to its database: each request asks it several times.")];
	return [ok(says)];
};

const checkPrimaries = (reached: readonly Reached[], hosts: number): Finding[] => {
	const primaries = reached.filter(({ isPrimary }) => isPrimary).map(({ address }) => address);
	if (reached.length > 0 && primaries.length === 0)
		return [
			wrong(
				"No host of DATABASE_URL takes writes: all are standbys",
				"Promote one (pg_promote()), or add the primary's address.",
			),
		];
	if (primaries.length > 1)
		return [
			wrong(
				`${primaries.join(" and ")} both take writes: what one process writes, another does not see`,
				"Take out of DATABASE_URL, and fence, the one that is not the primary any more.",
			),
		];
	return hosts > 1 && primaries.length === 1 && reached.length === hosts
		? [ok(`${reached.length - 1} of ${hosts} hosts can take over`)]
		: [];
};

const checkConnections = ({ isPooled, connections }: Reached, { poolSize }: DatabaseConfig): Finding[] => {
	const { most, taken } = connections;
	// behind a pooler its own limits count, and it tells those to its administrators only
	if (isPooled)
		return [ok(`Up to ${poolSize} connections of each process to the pooler; the pooler has ${most} at most`)];
	if (poolSize > most)
		return [
			wrong(
				`One process may open ${poolSize} connections, and PostgreSQL lets ${most} in`,
				"Lower DATABASE_POOL_SIZE, raise max_connections, or put PgBouncer between.",
			),
		];
	const free = most - taken;
	if (poolSize > free)
		return [
			warning(
				`One process may open ${poolSize} connections, and ${free} of ${most} are free`,
				"Lower DATABASE_POOL_SIZE, raise max_connections, or put PgBouncer between.",
			),
		];
	const processes = Math.floor(most / poolSize);
	return [
		ok(`${taken} of ${most} connections are taken; there is room for ${processes} processes with ${poolSize} each`),
	];
};
