import { Client } from "pg";
import { describeFailure } from "./failure.ts";

export type DatabaseHost = { address: string } & (
	| { isReachable: false; says: string; fix: string }
	| {
			isReachable: true;
			version: string;
			/** such as 150019 */
			versionNumber: number;
			isPrimary: boolean;
			/** milliseconds; the fastest of a few queries */
			latency: number;
			/** whether the connection goes through a pooler, such as PgBouncer */
			isPooled: boolean;
			/** the limit without superuser connections, and how many are in use */
			connections: { most: number; taken: number };
	  }
);

const QUESTION = `select current_setting('server_version') as version,
	current_setting('server_version_num')::int as number,
	pg_is_in_recovery() as standby,
	pg_backend_pid() as pid,
	current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
	(select count(*)::int from pg_stat_activity where backend_type = 'client backend') as taken`;

type Answer = { version: string; number: number; standby: boolean; pid: number; most: number; taken: number };

/** Queries one host on a separate connection. */
export const askHost = async (url: string, { connectTimeout }: { connectTimeout: number }): Promise<DatabaseHost> => {
	const address = addressOf(url);
	const limit = Math.min(connectTimeout, 5) * 1000;
	const client = new Client({ connectionString: url, connectionTimeoutMillis: limit, query_timeout: limit });
	client.on("error", () => {}); // the failing query reports it
	try {
		await client.connect();
		const { rows } = await client.query<Answer>(QUESTION);
		const [answer] = rows;
		if (!answer) throw new Error("no row");
		return {
			address,
			isReachable: true,
			version: answer.version.split(" ")[0] ?? answer.version,
			versionNumber: answer.number,
			isPrimary: !answer.standby,
			latency: await measure(client),
			// a pooler reports a made-up process id
			isPooled: processOf(client) !== answer.pid,
			connections: { most: answer.most, taken: answer.taken },
		};
	} catch (error) {
		const { says, fix } = describeFailure(error);
		return { address, isReachable: false, says, fix };
	} finally {
		await client.end().catch(() => {});
	}
};

const measure = async (client: Client): Promise<number> => {
	const times: number[] = [];
	for (let round = 0; round < 5; round += 1) {
		const began = performance.now();
		await client.query("select 1");
		times.push(performance.now() - began);
	}
	return Math.min(...times);
};

/** The process id from the handshake; the driver's types omit it. */
const processOf = (client: Client): unknown => ("processID" in client ? client.processID : undefined);

/** Host and port only, because the URL contains user and password. */
const addressOf = (url: string): string => {
	const { hostname, port } = new URL(url);
	return `${hostname}:${port || 5432}`;
};
