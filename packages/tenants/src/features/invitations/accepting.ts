import { definePart } from "../../scope/pin/request-record.ts";

type Accepted = { tenantId: string; email: string };

const usedUp = definePart<Accepted[]>(() => []);

/** Remembers that this request has used up an invitation, which is then gone from the table. */
export const rememberAccepted = (accepted: Accepted): void => {
	usedUp.now()?.push(accepted);
};

/** Whether this request has used up an invitation of this address. */
export const hasAccepted = ({ tenantId, email }: Accepted): boolean =>
	usedUp.peek()?.some((accepted) => accepted.tenantId === tenantId && accepted.email === email) ?? false;
