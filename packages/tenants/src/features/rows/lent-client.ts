import { rowError } from "./error-codes.ts";
import type { RowClient } from "./row-client.ts";

/** An object with other methods. A library checks with `instanceof` that it got a client or a pool, so the object itself is wrapped. */
export const withMethods = <Wrapped extends object>(wrapped: Wrapped, methods: Record<string, unknown>): Wrapped =>
	new Proxy(wrapped, {
		get: (target, name) => {
			if (typeof name === "string" && Object.hasOwn(methods, name)) return methods[name];
			const value: unknown = Reflect.get(target, name, target);
			return typeof value === "function" ? value.bind(target) : value;
		},
	});

/**
 * Lends a connection to the application until `takeBack`. A pool hands out the same object again, so a query that nobody waited
 * for would run in the transaction of whoever has the connection next, which may be another tenant.
 */
export const lendClient = <Client extends RowClient>(client: Client): { lent: Client; takeBack: () => void } => {
	let isOver = false;
	const query = (...args: unknown[]): unknown => {
		if (isOver) throw rowError("ROW_CLIENT_RELEASED");
		// pg types `query` with many overloads, and all of them take these arguments
		return client.query(...(args as [string]));
	};
	const release = (): never => {
		throw rowError("ROW_QUERY_NOT_SUPPORTED", "release (withTenantRows releases the connection)");
	};
	return {
		lent: withMethods(client, { query, release }),
		takeBack: () => {
			isOver = true;
		},
	};
};
