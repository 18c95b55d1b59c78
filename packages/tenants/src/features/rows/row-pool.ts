import { rowError } from "./error-codes.ts";
import { withMethods } from "./lent-client.ts";
import { type RequireTenantOptions, requireTenantId } from "./require-tenant-id.ts";
import type { RowClient } from "./row-client.ts";
import { type RowPool, SET_TENANT, TENANT_SETTING, withTenantRows } from "./row-security.ts";

/**
 * A pool for Kysely, Drizzle, Prisma or your own SQL, whose statements all run in the current tenant under row-level security.
 * Transactions of the library get the tenant when they begin. A statement outside of one gets its own. Throws
 * `ROW_TENANT_REQUIRED` without a tenant, before a connection is taken. Streams need a transaction.
 *
 * Costs one statement for each transaction, and three for a statement that has none: `begin`, `select set_config(…)`, `commit`.
 *
 * @example
 * ```ts
 * const rows = tenantRowPool(pool);
 * // then: new PostgresDialect({ pool: rows }), drizzle(rows) or new PrismaPg(rows)
 * ```
 */
export const tenantRowPool = <Pool extends RowPool & object>(pool: Pool, options: RequireTenantOptions = {}): Pool =>
	withMethods(pool, {
		query: (...args: unknown[]) => {
			refuseUnlessAwaited(args);
			return withTenantRows<RowPool, unknown>(pool, (client) => send(client, args), options);
		},
		connect: async (...args: unknown[]) => {
			refuseUnlessAwaited(args);
			requireTenantId(options);
			return tenantClient(await pool.connect(), options);
		},
	});

const tenantClient = (client: RowClient, options: RequireTenantOptions): RowClient => {
	/** the tenant of the open transaction, or of one that could not be ended */
	let began: string | undefined;
	let last: Promise<unknown> = Promise.resolve();
	/** The pool hands out the same connection again, perhaps in another tenant. */
	let isReleased = false;
	const assertHeld = (): void => {
		if (isReleased) throw rowError("ROW_CLIENT_RELEASED");
	};
	/** Statements that are not awaited must not share a transaction by chance. */
	const inTurn = (work: () => Promise<unknown>): Promise<unknown> => {
		const turn = last.then(work);
		last = turn.catch(() => undefined);
		return turn;
	};
	const begin = async (args: unknown[], tenantId: string): Promise<unknown> => {
		began = tenantId;
		const result = await send(client, args);
		await client.query(SET_TENANT, [TENANT_SETTING, tenantId]);
		return result;
	};
	const end = async (args: unknown[]): Promise<unknown> => {
		const result = await send(client, args);
		began = undefined;
		return result;
	};
	const run = async (args: unknown[], tenantId: string): Promise<unknown> => {
		// it may have waited for its turn meanwhile
		assertHeld();
		const text = textOf(args[0]);
		if (began !== undefined && END.test(text)) return end(args);
		if (began !== undefined && began !== tenantId) throw rowError("ROW_QUERY_OF_ANOTHER_TENANT");
		if (began !== undefined) return send(client, args);
		if (BEGIN.test(text)) return begin(args, tenantId);
		await begin(["begin"], tenantId);
		try {
			const result = await send(client, args);
			await end(["commit"]);
			return result;
		} catch (error) {
			// the first error says more, and a connection that is still in its transaction is not used again
			await end(["rollback"]).catch(() => undefined);
			throw error;
		}
	};
	const query = (...args: unknown[]): unknown => {
		assertHeld();
		refuseUnlessAwaited(args);
		const tenantId = requireTenantId(options);
		if (isStatement(args[0])) return inTurn(() => run(args, tenantId));
		// a stream is read after it was returned
		if (began !== tenantId) throw rowError("ROW_QUERY_NOT_SUPPORTED", "a stream outside of a transaction");
		return client.query(...(args as [string]));
	};
	const release = (destroy?: boolean): void => {
		// a second time, it would release the connection of its next user
		assertHeld();
		isReleased = true;
		// an open transaction would keep the tenant for the next user of the connection, also that of a statement that still runs
		client.release(destroy === true || began !== undefined);
	};
	return withMethods(client, { query, release });
};

const BEGIN = /^\s*(?:begin|start\s+transaction)\b/i;
/** `rollback to savepoint` does not end a transaction. */
const END = /^\s*(?:commit|end|abort|rollback(?!\s+(?:work\s+|transaction\s+)?to\b))\b/i;

const isValues = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Libraries pass a text, or an object with the text and options. A cursor has `submit`. */
const isStatement = (statement: unknown): boolean =>
	typeof statement === "string" || (isValues(statement) && typeof statement.submit !== "function");

const textOf = (statement: unknown): string =>
	typeof statement === "string"
		? statement
		: isValues(statement) && typeof statement.text === "string"
			? statement.text
			: "";

/** pg types `query` with many overloads, and all of them take these arguments. */
const send = async (client: RowClient, args: unknown[]): Promise<unknown> =>
	client.query(...(args as [string, unknown[]]));

const refuseUnlessAwaited = (args: unknown[]): void => {
	if (args.some((arg) => typeof arg === "function"))
		throw rowError("ROW_QUERY_NOT_SUPPORTED", "a callback (await the promise instead)");
};
