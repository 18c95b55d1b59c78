import type { Row } from "../database/driver.ts";

/**
 * Keeps copies of sessions, for example in Redis. It may lose them, keep them too long or bring old ones back: what a copy is worth is
 * decided elsewhere. Each call may fail or never return.
 */
export type CopyStore = {
	/** Returns the copy with this key, or null. */
	get: (key: string) => Promise<string | null>;
	/** Keeps a copy for this many seconds. */
	set: (key: string, value: string, seconds: number) => Promise<unknown>;
	/** Removes a copy. */
	delete: (key: string) => Promise<unknown>;
};

/** Whose session a copy is, and what `stamp` was before it was read from the database. */
export type Copied = { tenantId: string; userId: string; stamp: string };

/** Copies of sessions, and what is known of their worth. */
export type SessionCache = {
	/** Where copies are kept. */
	store: CopyStore;
	/** The longest that a copy is used, in seconds. */
	maxAge: number;
	/** What a session that is read from the database now says of its age. Null while no copy may be used: then none is kept. */
	stamp: () => string | null;
	/** Whether nothing of the user and the tenant has changed since. */
	isCurrent: (copied: Copied) => boolean;
	/** Learns of everything that was committed before the call. Never throws: then no copy is used until it works again. */
	follow: () => Promise<void>;
};

/** Runs one statement on a connection of its own, so that a busy pool does not delay it. */
export type AskChanges = (sql: string) => Promise<Row[]>;
