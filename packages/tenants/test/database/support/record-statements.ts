import { Pool, type PoolClient } from "pg";

/** A statement as sent to the server, with its parameter values. */
export type Sent = { text: string; values: unknown[] };

const isQuery = (value: unknown): value is { text: string; values?: unknown[] } =>
	typeof value === "object" && value !== null && "text" in value && typeof value.text === "string";

/** Records statements of a pool from now on, including on open connections. */
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
		/** Returns the statements that `act` sent, without transaction control, which has no plan. */
		during: async (act: () => Promise<void>): Promise<Sent[]> => {
			sent.length = 0;
			await act();
			return sent.filter(({ text }) => /^\s*(select|insert|update|delete|with)\b/i.test(text));
		},
	};
};
