import type { DatabaseConfig } from "../config/database.ts";
import { connectionsOf } from "../database/connections-of.ts";
import { askHost, type DatabaseHost } from "./database-host.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, wrong } = findingsOf("database");

type Reached = Extract<DatabaseHost, { isReachable: true }>;

/** The oldest supported PostgreSQL. */
const OLDEST = 14;
/** Milliseconds. A request runs several queries in a row. */
const SLOW = 20;

/** Checks whether PostgreSQL is reachable, which host accepts writes, its latency, and its free connections. */
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
		return [hasPrimary ? warning(`${says}. No host can take over`, host.fix) : wrong(says, host.fix)];
	}
	const { address, version, latency, isPrimary, isPooled } = host;
	const says = `PostgreSQL ${version} at ${address} ${isPrimary ? "accepts writes" : "is a standby"}, responds in ${latency.toFixed(1)} ms${isPooled ? ", through a pooler (such as PgBouncer)" : ""}`;
	if (Math.floor(host.versionNumber / 10_000) < OLDEST)
		return [warning(says, `PostgreSQL before ${OLDEST} is no longer supported. Upgrade it.`)];
	if (latency > SLOW)
		return [warning(says, "Run the server close to its database. Each request runs several queries.")];
	return [ok(says)];
};

const checkPrimaries = (reached: readonly Reached[], hosts: number): Finding[] => {
	const primaries = reached.filter(({ isPrimary }) => isPrimary).map(({ address }) => address);
	if (reached.length > 0 && primaries.length === 0)
		return [
			wrong(
				"No host in DATABASE_URL accepts writes: all are standbys",
				"Promote one with pg_promote(), or add the primary's address.",
			),
		];
	if (primaries.length > 1)
		return [
			wrong(
				`${primaries.join(" and ")} both accept writes: processes may not see each other's data`,
				"Fence the former primary and remove it from DATABASE_URL.",
			),
		];
	return hosts > 1 && primaries.length === 1 && reached.length === hosts
		? [ok(`${reached.length - 1} of ${hosts} hosts can take over`)]
		: [];
};

const checkConnections = ({ isPooled, connections }: Reached, config: DatabaseConfig): Finding[] => {
	const { most, taken } = connections;
	const each = connectionsOf(config);
	// a pooler has its own limits, and shows them only to its administrators
	if (isPooled) return [ok(`Up to ${each} connections per process to the pooler, which has at most ${most}`)];
	if (each > most)
		return [
			wrong(
				`One process may open ${each} connections, but PostgreSQL allows ${most}`,
				"Lower DATABASE_POOL_SIZE, raise max_connections, or use PgBouncer.",
			),
		];
	const free = most - taken;
	if (each > free)
		return [
			warning(
				`One process may open ${each} connections, but only ${free} of ${most} are free`,
				"Lower DATABASE_POOL_SIZE, raise max_connections, or use PgBouncer.",
			),
		];
	const processes = Math.floor(most / each);
	return [ok(`${taken} of ${most} connections are in use. There is room for ${processes} processes with ${each} each`)];
};
