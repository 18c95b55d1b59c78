import type { Roll } from "../model/roll.ts";
import type { End, Person, Right, Tenant, Undo } from "./beliefs.ts";
import type { Answer } from "./call.ts";
import type { Model } from "./model.ts";
import type { Ticket } from "./ticket.ts";
import type { World } from "./world.ts";

/** One operation, ready to send. */
export type Step = {
	name: string;
	/** whose right it uses; null for an operator */
	right: Right | null;
	/** about whom it is, so that others hit the same user */
	about: Person | null;
	/** whether it only reads */
	reads?: boolean;
	/** works for a user who still has to set up a second factor */
	allowsPending?: boolean;
	send: () => Promise<Answer>;
	/** whether the right was used; by default a 2xx */
	succeeded?: (answer: Answer) => boolean;
	begin?: (ticket: Ticket) => void;
	/** what ends with a success */
	ends?: () => Omit<End, EndTime>[];
	undoes?: Omit<Undo, "began" | "answered">;
	/** updates the model after a success */
	settle?: (answer: Answer, ticket: Ticket) => void;
	/** ways in that should be gone */
	leftovers?: { tables: Record<string, string>; only?: Record<string, string>; person: Person };
};

/** Of the request that ends something. */
type EndTime = "began" | "decided" | "answered";

export type Given = { model: Model; world: World; roll: Roll };

/** Prepares a step; null if it does not fit. */
export type Plan = (given: Given) => Promise<Step | null> | Step | null;

export const endOf = (
	kind: End["kind"],
	tenant: Tenant,
	person: Person | null,
	more: Partial<End> = {},
): Omit<End, EndTime> => ({ kind, tenant, person, kept: null, role: null, ...more });
