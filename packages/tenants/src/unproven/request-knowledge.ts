import { defineRequestState, hasRequestState } from "@better-auth/core/context";
import { peekState } from "../engine/request-state.ts";

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

/** A request state, because the hash functions, the adapter and the hooks have nothing else in common. */
const running = defineRequestState<Knowledge>(() => ({
	hashes: new Set(),
	accounts: new Set(),
	deletedAccounts: false,
	isEnding: false,
	removedPassword: false,
}));

/** The state of the running request, for matchers. Undefined if nothing is known. */
export const peekKnowledge = (): Knowledge | undefined => peekState(running);

/** The state of the running request. Undefined outside of one. */
export const knowledge = async (): Promise<Knowledge | undefined> =>
	peekState(running) ?? ((await hasRequestState()) ? running.get() : undefined);
