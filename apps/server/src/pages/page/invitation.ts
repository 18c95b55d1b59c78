import { cleanName } from "../../mail/names.ts";
import type { PageCatalog } from "../catalog/en.ts";
import type { EngineAnswer, Visit } from "../visit.ts";

type Role = keyof PageCatalog["invitation"]["roles"];

export type Invitation = {
	/** for the API only: it must not be in a page */
	token: string;
	email: string;
	role: Role;
	/** the name and the address of the user who invites; nothing if an operator does */
	inviter: string[];
};

type Found = { invitation: Invitation | null; problem?: EngineAnswer };

/**
 * Reads the invitation of the token in the cookie. Null if there is none in this tenant: the API does not say whether it
 * expired, was used, was revoked or is another tenant's. `problem` is a response that says nothing about the token.
 */
export const readInvitation = async ({ cookies, ask }: Visit): Promise<Found> => {
	const token = cookies.read("invitation");
	if (!token) return { invitation: null };
	const answer = await ask({ method: "GET", path: `/tenant/invitation/get?${new URLSearchParams({ token })}` });
	if (!answer.ok) return answer.status === 404 ? { invitation: null } : { invitation: null, problem: answer };
	const { email, role, inviter } = answer.json;
	return { invitation: { token, email: String(email), role: roleOf(role), inviter: inviterOf(inviter) } };
};

const roleOf = (role: unknown): Role => (role === "owner" || role === "admin" ? role : "member");

/** Users choose their names, so the address is always shown with it. */
const inviterOf = (inviter: unknown): string[] => {
	if (typeof inviter !== "object" || inviter === null || !("email" in inviter)) return [];
	const name = "name" in inviter ? cleanName(String(inviter.name)) : "";
	return [name, String(inviter.email)].filter((text) => text !== "");
};
