import { definePart } from "../../scope/pin/request-record.ts";

/** What the running request knows and did. */
export type Knowledge = {
	/** the hashes of passwords that the request contained: it made them, or they matched */
	hashes: Set<string>;
	/** the accounts that the request created or renewed */
	accounts: Set<string>;
	/** Better Auth deleted accounts itself, before it wrote that the email is verified */
	deletedAccounts: boolean;
	/** ways in are being ended */
	isEnding: boolean;
	/** the request removed the password of a user */
	removedPassword: boolean;
};

/** Of the request, because the hash functions, the adapter and the hooks have nothing else in common. */
const running = definePart<Knowledge>(() => ({
	hashes: new Set(),
	accounts: new Set(),
	deletedAccounts: false,
	isEnding: false,
	removedPassword: false,
}));

/** For matchers. Undefined if nothing is known. */
export const peekKnowledge = running.peek;

/** Undefined outside of a request. */
export const knowledge = running.now;
