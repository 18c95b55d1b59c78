import { defineRequestState } from "@better-auth/core/context";
import { peekState } from "../engine/request-state.ts";

type Accepted = { tenantId: string; email: string };

const state = defineRequestState<Accepted | null>(() => null);

/** Remembers that this request has used up an invitation, which is then gone from the table. */
export const rememberAccepted = (accepted: Accepted): Promise<void> => state.set(accepted);

/** Whether this request has used up an invitation of this address. */
export const hasAccepted = ({ tenantId, email }: Accepted): boolean => {
	const accepted = peekState(state);
	return accepted?.tenantId === tenantId && accepted.email === email;
};
