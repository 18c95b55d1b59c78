import { definePart } from "../../scope/pin/request-record.ts";

type Used = { tenantId: string; email: string };

const usedUp = definePart<Used[]>(() => []);

/** Remembers that this request has used up an invitation, which is then gone from the table. */
export const rememberUsedInvitation = (used: Used): void => {
	usedUp.now()?.push(used);
};

/** Whether this request has used up an invitation of this address. */
export const hasUsedInvitation = ({ tenantId, email }: Used): boolean =>
	usedUp.peek()?.some((used) => used.tenantId === tenantId && used.email === email) ?? false;
