import { type Child, h } from "../view/h.ts";
import { form, hidden, linkButton, submit } from "../view/parts.ts";
import type { Visit } from "../visit.ts";

/** Whether Better Auth removed the password: the email was verified in another browser than the one that signed up. */
export const mustChoosePassword = ({ isPasswordRemoved, hasMail, methods }: Visit): boolean =>
	isPasswordRemoved && hasMail && methods.email.enabled;

/** Says that the user has to choose a password, and mails the link if it is known to whom. */
export const choosePassword = ({ texts, flow }: Visit, email: string | null): Child => {
	const { chooseText, chooseReason, chooseAction } = texts.verified;
	const path = flow.link("/forgot-password");
	return [
		h("p", null, chooseText),
		h("p", { class: "intro" }, chooseReason),
		email === null ? linkButton(path, chooseAction, true) : form(path, hidden("email", email), submit(chooseAction)),
	];
};
