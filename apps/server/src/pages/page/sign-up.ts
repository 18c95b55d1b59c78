import { type Failure, failureOf } from "../failures.ts";
import { errorAt, failureNotice } from "../view/failure.ts";
import { h } from "../view/h.ts";
import { field, form, link, submit } from "../view/parts.ts";
import { fieldOf, type Page, type PageAnswer, type Visit } from "../visit.ts";
import { newPasswordField } from "./new-password-field.ts";

/** Sign-up with email and password. */
export const signUpPage: Page = {
	get: async (visit) => show(visit, null),
	post: async (visit) => {
		const { flow, methods } = visit;
		if (!methods.email.signUp) return show(visit, null);
		const [name, email, password] = [fieldOf(visit, "name"), fieldOf(visit, "email"), visit.form.get("password") ?? ""];
		if (name === "") return show(visit, { key: "missing", field: "name" }, 400);
		if (!/^[^\s@]+@[^\s@]+$/.test(email)) return show(visit, { key: "emailInvalid", field: "email" }, 400);
		const answer = await visit.ask({
			method: "POST",
			path: "/sign-up/email",
			body: {
				name,
				email,
				password,
				callbackURL: flow.link("/verified"),
				...(flow.oauthQuery !== null ? { oauth_query: flow.oauthQuery } : {}),
			},
		});
		if (!answer.ok) return show(visit, failureOf(answer), answer.status);
		if (typeof answer.json.token !== "string" && answer.url === null) {
			visit.cookies.set("email", email);
			return { to: flow.link("/check-email", { for: "verify" }) };
		}
		return { to: flow.oauthQuery !== null && answer.url !== null ? answer.url : flow.end() };
	},
};

const show = (visit: Visit, failure: Failure | null, status = 200): PageAnswer => {
	const { texts, flow, name, methods } = visit;
	const focus = failure?.field ?? "name";
	const fields = form(
		flow.link("/sign-up"),
		field({
			name: "name",
			label: texts.fields.name,
			value: fieldOf(visit, "name"),
			autocomplete: "name",
			maxlength: 100,
			error: errorAt(texts, failure, "name"),
			autofocus: focus === "name",
		}),
		field({
			name: "email",
			label: texts.fields.email,
			type: "email",
			value: fieldOf(visit, "email"),
			autocomplete: "email",
			error: errorAt(texts, failure, "email"),
			autofocus: focus === "email",
		}),
		newPasswordField(texts, texts.fields.password, failure),
		submit(texts.signUp.action),
	);
	return {
		status,
		view: {
			title: texts.signUp.title(name),
			isError: failure !== null,
			body: [
				failureNotice(texts, failure, ["name", "email", "password"]),
				methods.email.signUp ? fields : h("p", null, texts.signUp.closed),
				h("p", { class: "aside" }, `${texts.signUp.haveAccount} `, link(flow.link("/sign-in"), texts.signUp.signIn)),
			],
		},
	};
};
