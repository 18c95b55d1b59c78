import { type Failure, failureOf } from "../failures.ts";
import { failureNotice } from "../view/failure.ts";
import { h } from "../view/h.ts";
import { form, link, notice, secondary } from "../view/parts.ts";
import type { Page, PageAnswer, Visit } from "../visit.ts";
import { mailKindOf, requestMail } from "./mails.ts";

/** Seconds before the script lets visitors ask for the mail again. */
const WAIT = 30;

/** Says that a mail was sent, and sends it again. */
export const checkEmailPage: Page = {
	get: async (visit) => show(visit, null),
	post: async (visit) => {
		const [kind, email] = [mailKindOf(visit.flow.query.get("for")), visit.cookies.read("email")];
		if (kind === null || email === null) return { to: visit.flow.link("/sign-in") };
		const answer = await requestMail(visit, kind, email);
		if (!answer.ok) return show(visit, failureOf(answer), answer.status);
		return { to: visit.flow.link("/check-email", { for: kind, notice: "resent" }) };
	},
};

const show = ({ texts, flow, cookies }: Visit, failure: Failure | null, status = 200): PageAnswer => {
	const kind = mailKindOf(flow.query.get("for"));
	const email = cookies.read("email");
	const { checkEmail } = texts;
	return {
		status,
		view: {
			title: checkEmail.title,
			isError: failure !== null,
			body: [
				failureNotice(texts, failure),
				flow.query.get("notice") === "resent" && notice(checkEmail.resent),
				h("p", null, checkEmail[kind ?? "verify"](email ?? checkEmail.someone)),
				h("p", { class: "hint" }, checkEmail.hint),
				kind !== null &&
					email !== null &&
					form(
						flow.link("/check-email", { for: kind }),
						secondary(checkEmail.resend, { "data-wait": String(WAIT), "data-wait-text": checkEmail.wait }),
					),
				h("p", { class: "aside" }, link(flow.link("/sign-in"), checkEmail.back)),
			],
		},
	};
};
