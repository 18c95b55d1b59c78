import { Pool, type PoolClient } from "pg";
import { vi } from "vitest";

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
				const given = Array.isArray(values) ? values : [];
				if (isQuery(first)) sent.push({ text: first.text, values: first.values ?? given });
				else sent.push({ text: String(first), values: given });
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
		/** Waits for a statement, which may still be running. */
		until: (isMeant: (text: string) => boolean): Promise<Sent> =>
			vi.waitUntil(() => sent.find(({ text }) => isMeant(text)), { timeout: 60_000 }),
	};
};
