import { AsyncLocalStorage } from "node:async_hooks";
import type { BetterAuthPlugin } from "better-auth";
import type { TestDatabase } from "test-kit/databases";
import { createGate, type Gate } from "../../admin/support/gate.ts";

type Stop = { left: number; reached: Gate; released: Gate };
type Send = (...given: unknown[]) => unknown;

/** Stops a request before its nth step: a statement, with its BEGIN and COMMIT, or a call of the adapter. */
export const createStops = () => {
	const running = new AsyncLocalStorage<Stop>();

	const step = (): Promise<void> | undefined => {
		const stop = running.getStore();
		if (!stop) return undefined;
		stop.left -= 1;
		if (stop.left !== 0) return undefined;
		stop.reached.open();
		return stop.released.opened;
	};

	/** Between any two statements, a request only waits, so this stops it at every await that the database can notice. */
	const stopStatements = ({ kind, connection }: TestDatabase): void => {
		if (kind === "sqlite") return;
		const pool = (kind === "mysql" ? (connection as { pool: unknown }).pool : connection) as {
			on: (event: "acquire", listen: (client: { query: Send }) => void) => void;
		};
		const seen = new WeakSet<object>();
		pool.on("acquire", (client) => {
			if (seen.has(client)) return;
			seen.add(client);
			const send = client.query.bind(client);
			client.query = (...given) => {
				const stopped = step();
				if (!stopped) return send(...given);
				// mysql2 calls back, and its result must not be awaited
				if (kind === "mysql") return void stopped.then(() => void send(...given));
				return stopped.then(() => send(...given));
			};
		});
	};

	/** SQLite has one connection, so a request can only stop outside of transactions. */
	const stopCalls: BetterAuthPlugin = {
		id: "stop-calls",
		init: ({ adapter }) => {
			const entries = Object.entries(adapter).map(([name, method]: [string, unknown]) => {
				if (typeof method !== "function") return [name, method];
				const stopping = async (...given: unknown[]) => {
					await step();
					return name === "transaction" ? running.exit(() => method(...given)) : method(...given);
				};
				return [name, stopping];
			});
			Object.assign(adapter, Object.fromEntries(entries));
		},
	};

	/**
	 * Sends a request that stops before its nth step, does something else meanwhile, and lets it go. Returns null if it has fewer
	 * steps.
	 */
	const stopAt = async <Answer>(
		nth: number,
		send: () => Promise<Answer>,
		meanwhile: () => Promise<unknown>,
	): Promise<Answer | null> => {
		const stop: Stop = { left: nth, reached: createGate(), released: createGate() };
		const sending = running.run(stop, send);
		await Promise.race([stop.reached.opened, sending]);
		if (stop.left > 0) return null;
		await meanwhile().finally(stop.released.open);
		return sending;
	};

	return { stopStatements, stopCalls, stopAt };
};
