import type { PagePath } from "../../lib/page-paths.ts";
import type { PageCatalog } from "../catalog/en.ts";
import { type Failure, failureOf } from "../failures.ts";
import { failureNotice } from "../view/failure.ts";
import { h } from "../view/h.ts";
import { form, link, submit } from "../view/parts.ts";
import type { Page, PageAnswer, Visit } from "../visit.ts";
import { emailField, givenEmail } from "./email-field.ts";
import { type MailKind, requestMail } from "./mails.ts";

type Texts = { title: string; intro: string; action: string };

/** A page that asks for an address and sends a link to it. */
const mailPage = (
	path: PagePath,
	kind: MailKind,
	textsOf: (texts: PageCatalog) => Texts,
	isOffered: (visit: Visit) => boolean,
): Page => {
	const show = (visit: Visit, failure: Failure | null, status = 200): PageAnswer => {
		const { texts, flow } = visit;
		const { title, intro, action } = textsOf(texts);
		return {
			status,
			view: {
				title,
				isError: failure !== null,
				body: [
					h("p", { class: "intro" }, intro),
					failureNotice(texts, failure, ["email"]),
					form(flow.link(path), emailField(visit, failure), submit(action)),
					h("p", { class: "aside" }, link(flow.link("/sign-in"), texts.checkEmail.back)),
				],
			},
		};
	};
	return {
		get: async (visit) => (isOffered(visit) ? show(visit, null) : { to: visit.flow.link("/sign-in") }),
		post: async (visit) => {
			if (!isOffered(visit)) return { to: visit.flow.link("/sign-in") };
			const email = givenEmail(visit);
			if (email === null) return show(visit, { key: "emailInvalid", field: "email" }, 400);
			const answer = await requestMail(visit, kind, email);
			if (!answer.ok) return show(visit, failureOf(answer), answer.status);
			visit.cookies.set("email", email);
			return { to: visit.flow.link("/check-email", { for: kind }) };
		},
	};
};

export const forgotPasswordPage = mailPage(
	"/forgot-password",
	"reset",
	({ forgot }) => forgot,
	({ hasMail, methods }) => hasMail && methods.email.enabled,
);

export const emailLinkPage = mailPage(
	"/email-link",
	"link",
	({ emailLink }) => emailLink,
	({ methods }) => methods.magicLink.enabled,
);
