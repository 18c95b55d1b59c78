import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from "kysely";
import { effectOf, isReadOf } from "./effect-of.ts";
import type { Scheduler } from "./scheduler.ts";
import { type Effect, noteSession } from "./ticket.ts";

/** One transaction or statement on a connection. `written` is lost if the transaction is rolled back. */
type Use = { connection: DatabaseConnection; inTransaction: boolean; written: Omit<Effect, "at">[] };

/**
 * Lets requests stop before every statement: before they take a connection, and before every statement and the commit of a
 * transaction. Records what they wrote. With `isSingle`, one request at a time has the connection, as Kysely does it for SQLite.
 */
export const gateDialect = (dialect: Dialect, scheduler: Scheduler, isSingle: boolean): Dialect => ({
	createAdapter: () => {
		const adapter = dialect.createAdapter();
		// the wait for the only connection is in the driver below, where it is seen
		Object.defineProperty(adapter, "supportsMultipleConnections", { value: true });
		return adapter;
	},
	createIntrospector: (db) => dialect.createIntrospector(db),
	createQueryCompiler: () => dialect.createQueryCompiler(),
	createDriver: () => gateDriver(dialect.createDriver(), scheduler, isSingle),
});

const gateDriver = (driver: Driver, scheduler: Scheduler, isSingle: boolean): Driver => {
	const uses = new WeakMap<DatabaseConnection, Use>();
	const useOf = (connection: DatabaseConnection): Use => {
		const use = uses.get(connection);
		if (!use) throw new Error("not a connection of this driver");
		return use;
	};
	const only = isSingle ? createTurns() : null;

	const keep = (written: Use["written"]): void => {
		const ticket = scheduler.ticket();
		ticket?.effects.push(...written.map((effect) => ({ ...effect, at: scheduler.now() })));
	};

	const execute = async <Row>(use: Use, query: CompiledQuery): Promise<QueryResult<Row>> => {
		if (use.inTransaction) await scheduler.pass();
		const [ticket, at] = [scheduler.ticket(), scheduler.now()];
		const result = await scheduler.asking(() => use.connection.executeQuery<Row>(query));
		const [row, ...more] = isReadOf(query, "session") ? (result.rows as { token?: unknown }[]) : [];
		// a list is no session that a request presents
		if (ticket && more.length === 0 && typeof row?.token === "string") noteSession(ticket, row.token, at);
		const effect = effectOf(query, result);
		if (effect && use.inTransaction) use.written.push(effect);
		else if (effect) keep([effect]);
		return result;
	};

	const leave = (use: Use): void => {
		const ticket = scheduler.ticket();
		if (use.inTransaction && ticket) ticket.transactions -= 1;
		use.inTransaction = false;
		use.written = [];
	};

	return {
		init: (options) => driver.init(options),
		acquireConnection: async (options) => {
			await scheduler.pass();
			const ticket = scheduler.ticket();
			if (ticket) ticket.waitsForConnection = true;
			const connection = await scheduler.asking(async () => {
				await only?.take();
				return driver.acquireConnection(options);
			});
			if (ticket) ticket.waitsForConnection = false;
			const use: Use = { connection, inTransaction: false, written: [] };
			const gated: DatabaseConnection = {
				executeQuery: (query) => execute(use, query),
				streamQuery: (query, size, more) => connection.streamQuery(query, size, more),
			};
			uses.set(gated, use);
			return gated;
		},
		beginTransaction: async (gated, settings) => {
			const use = useOf(gated);
			await scheduler.asking(() => driver.beginTransaction(use.connection, settings));
			use.inTransaction = true;
			const ticket = scheduler.ticket();
			if (ticket) ticket.transactions += 1;
		},
		commitTransaction: async (gated) => {
			const use = useOf(gated);
			await scheduler.pass();
			await scheduler.asking(() => driver.commitTransaction(use.connection));
			keep(use.written);
			leave(use);
		},
		rollbackTransaction: async (gated) => {
			const use = useOf(gated);
			await scheduler.asking(() => driver.rollbackTransaction(use.connection));
			leave(use);
		},
		releaseConnection: async (gated, options) => {
			await driver.releaseConnection(useOf(gated).connection, options);
			only?.give();
		},
		destroy: (options) => driver.destroy(options),
	};
};

/** One holder at a time, in the order in which they ask. */
const createTurns = () => {
	const waiting: (() => void)[] = [];
	let isTaken = false;
	return {
		take: async (): Promise<void> => {
			if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
			isTaken = true;
		},
		give: (): void => {
			const next = waiting.shift();
			// stays taken if somebody waits
			if (next) next();
			else isTaken = false;
		},
	};
};
