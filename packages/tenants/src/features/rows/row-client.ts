/** A connection of a pool, such as `PoolClient` of `pg`. */
export type RowClient = {
	query(text: string, values?: unknown[]): Promise<unknown>;
	release(destroy?: boolean): void;
	on?(event: "error", listener: () => void): unknown;
	off?(event: "error", listener: () => void): unknown;
};
