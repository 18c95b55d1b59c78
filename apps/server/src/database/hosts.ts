import type { ClientBase } from "pg";
import type { Logger } from "../observe/logger.ts";

export type Hosts = ReturnType<typeof createHosts>;

/** The hosts of a database, and which of them takes writes as far as we know. `patience` is in milliseconds. */
export const createHosts = (urls: readonly string[], patience: number, logger: Logger) => {
	/** where the next connection goes */
	let current = 0;
	/** where the last one was admitted */
	let primary = 0;
	/** one more at each change of the primary: connections of before lead to a server that is no primary any more */
	let reign = 0;
	const hostOf = new WeakMap<ClientBase, number>();
	const reignOf = new WeakMap<ClientBase, number>();

	const moveOn = (from: number): void => {
		// whoever failed at the same time has moved on already
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
		/** Throws where a new connection leads to a server that takes no writes. */
		admit: async (client: ClientBase): Promise<void> => {
			const host = hostOf.get(client) ?? 0;
			if (urls.length > 1) {
				// what libpq asks; on for a standby and where the administrator said so
				const question = { text: "show transaction_read_only", query_timeout: patience };
				const { rows } = await client.query<{ transaction_read_only: string }>(question);
				if (rows[0]?.transaction_read_only !== "off") throw new Error("The database takes no writes");
			}
			if (host !== primary) {
				primary = host;
				reign += 1;
				logger.info({ host: hostname(urls[host]) }, "the database has another primary");
			}
			current = host;
			reignOf.set(client, reign);
		},
		/** A connection's server turned out to be no primary any more. */
		demote: (client: ClientBase): void => {
			if (reignOf.get(client) !== reign) return;
			reign += 1;
			moveOn(hostOf.get(client) ?? 0);
		},
		isStale: (client: ClientBase): boolean => reignOf.get(client) !== reign,
	};
};

/** The host alone: the rest of the URL holds a password. */
const hostname = (url: string | undefined): string => (url && URL.parse(url)?.host) || "";
