/** A trigger for SQLite that fails a write, such as `insert on "tenant"`, as a full disk does. */
export const failing = (write: string): string =>
	`create trigger "failing" before ${write} begin select raise(abort, 'the disk is full'); end`;

/** A trigger for SQLite that skips a write, as if a parallel call had changed the row each time. */
export const skipping = (write: string): string =>
	`create trigger "skipping" before ${write} begin select raise(ignore); end`;
