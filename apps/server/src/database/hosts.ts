import type { ClientBase } from "pg";
import type { Logger } from "../observe/logger.ts";

export type Hosts = ReturnType<typeof createHosts>;

/** Tracks the hosts of a database, and which one accepts writes. `patience` is in milliseconds. */
export const createHosts = (urls: readonly string[], patience: number, logger: Logger) => {
	/** the host of the next connection */
	let current = 0;
	/** the host that last accepted writes */
	let primary = 0;
	/** increases when the primary changes; older connections lead to a former primary */
	let reign = 0;
	const hostOf = new WeakMap<ClientBase, number>();
	const reignOf = new WeakMap<ClientBase, number>();

	const moveOn = (from: number): void => {
		// a concurrent failure may already have moved on
		if (current === from) current = (from + 1) % urls.length;
	};

	return {
		count: urls.length,
		current: (): number => current,
		next: (): string | undefined => urls[current],
		remember: (client: ClientBase): void => {
			hostOf.set(client, current);
		},
		moveOn,
		/** Throws if a new connection leads to a server that does not accept writes. */
		admit: async (client: ClientBase): Promise<void> => {
			const host = hostOf.get(client) ?? 0;
			if (urls.length > 1) {
				// the check of libpq; "on" for a standby, or if the administrator set it
				const question = { text: "show transaction_read_only", query_timeout: patience };
				const { rows } = await client.query<{ transaction_read_only: string }>(question);
				if (rows[0]?.transaction_read_only !== "off") throw new Error("The database does not accept writes");
			}
			if (host !== primary) {
				primary = host;
				reign += 1;
				logger.info({ host: hostname(urls[host]) }, "the database has a new primary");
			}
			current = host;
			reignOf.set(client, reign);
		},
		/** Called when a connection's server is no longer the primary. */
		demote: (client: ClientBase): void => {
			if (reignOf.get(client) !== reign) return;
			reign += 1;
			moveOn(hostOf.get(client) ?? 0);
		},
		isStale: (client: ClientBase): boolean => reignOf.get(client) !== reign,
	};
};

/** The host only, because the URL contains a password. */
const hostname = (url: string | undefined): string => (url && URL.parse(url)?.host) || "";
