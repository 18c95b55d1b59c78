import { type Deferred, deferred } from "./deferred.ts";

/** A committed write of a request. Times are counts of what happened, not of seconds. */
export type Effect = {
	at: number;
	kind: "insert" | "update" | "delete";
	table: string;
	columns: string[];
	/** the id of an inserted row */
	id: string | null;
};

/** A request that is under way, or was. */
export type Ticket = {
	name: string;
	began: number;
	answered: number | null;
	/** how many awaits it has passed */
	gates: number;
	/** the await to stop at; "outside" for the first one that is not in a transaction */
	holdAt: number | "outside" | null;
	parked: { isHeld: boolean; opened: Promise<void>; open: () => void } | null;
	transactions: number;
	waitsForConnection: boolean;
	/** statements and calls of the storage that it waits for */
	asked: number;
	effects: Effect[];
	/** the token of the session that it presents, once it has read it in the database or in the storage */
	session: string | null;
	/** when it last read that session before it wrote anything; null if it has not read one */
	presented: number | null;
	/** when it last asked the database or the storage for anything */
	worked: number;
	/** resolves when it parks or is answered */
	changed: Deferred<void>;
};

export const newTicket = (name: string, began: number): Ticket => ({
	name,
	began,
	answered: null,
	gates: 0,
	holdAt: null,
	parked: null,
	transactions: 0,
	waitsForConnection: false,
	asked: 0,
	effects: [],
	session: null,
	presented: null,
	worked: began,
	changed: deferred(),
});

export const notify = (ticket: Ticket): void => {
	const { resolve } = ticket.changed;
	ticket.changed = deferred();
	resolve();
};

/** The first session that a request reads is the one that it presents. Until it writes, it may read it again, and goes by what it is then. */
export const noteSession = (ticket: Ticket, token: string, at: number): void => {
	ticket.session ??= token;
	if (token === ticket.session && ticket.effects.length === 0) ticket.presented = at;
};
