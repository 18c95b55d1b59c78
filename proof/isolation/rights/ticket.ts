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
	/** when it first read a session, in the database or in the storage; null if it has not yet */
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
	presented: null,
	worked: began,
	changed: deferred(),
});

export const notify = (ticket: Ticket): void => {
	const { resolve } = ticket.changed;
	ticket.changed = deferred();
	resolve();
};
