import { Pool, type PoolClient } from "pg";

/** A statement as it went to the server, with the values of its parameters. */
export type Sent = { text: string; values: unknown[] };

const isQuery = (value: unknown): value is { text: string; values?: unknown[] } =>
	typeof value === "object" && value !== null && "text" in value && typeof value.text === "string";

/** Sees what is sent over a pool from now on, also over connections that it already holds. */
export const recordStatements = (connection: unknown) => {
	if (!(connection instanceof Pool)) throw new Error("Statements are recorded on a pool of PostgreSQL");
	const sent: Sent[] = [];
	const watched = new WeakSet<PoolClient>();
	connection.on("acquire", (client) => {
		if (watched.has(client)) return;
		watched.add(client);
		const send = client.query.bind(client) as (...args: unknown[]) => unknown;
		Object.assign(client, {
			query: (...args: unknown[]) => {
				const [first, values] = args;
				if (isQuery(first)) sent.push({ text: first.text, values: first.values ?? [] });
				else sent.push({ text: String(first), values: Array.isArray(values) ? values : [] });
				return send(...args);
			},
		});
	});
	return {
		/** What was sent while `act` ran; transactions' own words are left out, since they have no plan. */
		during: async (act: () => Promise<void>): Promise<Sent[]> => {
			sent.length = 0;
			await act();
			return sent.filter(({ text }) => /^\s*(select|insert|update|delete|with)\b/i.test(text));
		},
	};
};
