import { type Failure, failureOf } from "../failures.ts";
import { errorAt, failureNotice } from "../view/failure.ts";
import { h } from "../view/h.ts";
import { field, form, link, submit } from "../view/parts.ts";
import { fieldOf, type Page, type PageAnswer, type Visit } from "../visit.ts";
import { afterSignIn } from "./after-sign-in.ts";
import { emailField, givenEmail } from "./email-field.ts";

/** Sign-in with a code in a mail: first the address, then the code. */
export const emailCodePage: Page = {
	get: async (visit) => {
		if (!visit.methods.emailOtp.enabled) return { to: visit.flow.link("/sign-in") };
		return show(visit, null);
	},
	post: async (visit) => {
		const { flow, cookies, methods } = visit;
		if (!methods.emailOtp.enabled) return { to: flow.link("/sign-in") };
		if (visit.form.has("code")) return signIn(visit);
		const email = givenEmail(visit);
		if (email === null) return show(visit, { key: "emailInvalid", field: "email" }, 400);
		const body = { email, type: "sign-in" };
		const answer = await visit.ask({ method: "POST", path: "/email-otp/send-verification-otp", body });
		if (!answer.ok) return show(visit, failureOf(answer), answer.status);
		cookies.set("email", email);
		return { to: flow.link("/email-code", { step: "code" }) };
	},
};

const signIn = async (visit: Visit): Promise<PageAnswer> => {
	const { flow, cookies } = visit;
	const email = cookies.read("email");
	if (email === null) return { to: flow.link("/email-code") };
	const otp = fieldOf(visit, "code").replace(/\s/g, "");
	const body = { email, otp, ...(flow.oauthQuery !== null ? { oauth_query: flow.oauthQuery } : {}) };
	const answer = await visit.ask({ method: "POST", path: "/sign-in/email-otp", body });
	return answer.ok ? afterSignIn(visit, answer) : show(visit, failureOf(answer), answer.status);
};

const show = (visit: Visit, failure: Failure | null, status = 200): PageAnswer => {
	const { texts, flow, cookies } = visit;
	const { emailCode } = texts;
	const email = flow.query.get("step") === "code" ? cookies.read("email") : null;
	const back = h("p", { class: "aside" }, link(flow.link("/sign-in"), texts.checkEmail.back));
	const body =
		email === null
			? [
					h("p", { class: "intro" }, emailCode.intro),
					failureNotice(texts, failure, ["email"]),
					form(flow.link("/email-code"), emailField(visit, failure), submit(emailCode.action)),
					back,
				]
			: [
					h("p", { class: "intro" }, emailCode.sent(email)),
					failureNotice(texts, failure, ["code"]),
					form(
						flow.link("/email-code", { step: "code" }),
						field({
							name: "code",
							label: texts.fields.code,
							autocomplete: "one-time-code",
							inputmode: "numeric",
							maxlength: 32,
							error: errorAt(texts, failure, "code"),
							autofocus: true,
						}),
						submit(texts.signIn.action),
					),
					h("p", { class: "aside" }, link(flow.link("/email-code"), emailCode.other)),
					back,
				];
	return { status, view: { title: emailCode.title, isError: failure !== null, body } };
};
