import type { EngineAnswer, Visit } from "../visit.ts";

/** The mails with a link that a visitor can ask for. */
export type MailKind = "verify" | "reset" | "link";

export const mailKindOf = (given: string | null): MailKind | null =>
	given === "verify" || given === "reset" || given === "link" ? given : null;

/** Asks Better Auth to send a mail. The response does not say whether the address is known. */
export const requestMail = ({ flow, ask }: Visit, kind: MailKind, email: string): Promise<EngineAnswer> => {
	const post = (path: string, body: Record<string, unknown>) => ask({ method: "POST", path, body: { email, ...body } });
	if (kind === "verify") return post("/send-verification-email", { callbackURL: flow.link("/verified") });
	if (kind === "reset") return post("/request-password-reset", { redirectTo: flow.link("/reset-password") });
	return post("/sign-in/magic-link", { callbackURL: flow.end(), errorCallbackURL: flow.link("/sign-in") });
};
